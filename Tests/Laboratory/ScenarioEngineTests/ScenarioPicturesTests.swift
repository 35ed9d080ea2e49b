import FetcherModel
import Foundation
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

@Suite struct ScenarioPicturesTests {
  @Test("The pictures of a thousand one-pixel images have distinct bytes, which identify their images")
  func manyImages() {
    var scenario = Scenario()
    scenario.images = (0..<1000).map { number in
      Scenario.Image(id: "\(number)", path: ScenarioPath("/\(number)"), size: Scenario.Size(width: 1, height: 1))
    }
    let pictures = ScenarioPictures(scenario, folder: packageRoot)
    let bodies = scenario.images.map { pictures.body(of: $0.id) }
    #expect(Set(bodies).count == 1000)
    #expect(zip(scenario.images, bodies).filter { pictures.id(of: $1, of: nil) != $0.id }.isEmpty)
  }

  @Test("A body file counts as the picture only of images that may receive it")
  func files() throws {
    let folder = try Self.folder(with: ["mine.png": 1000, "late.png": 2000, "unused.png": 3000])
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x",
       "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}, {"id": "C", "path": "/c"}, {"id": "D", "path": "/d"}],
       "origin": {"routes": [
         {"path": "/b", "responses": [{"body": {"file": "mine.png"}}]},
         {"path": "/c", "responses": [{"status": 302, "headers": {"Location": "b"}}]},
         {"path": "/else", "responses": [{"body": {"file": "unused.png"}}]}]},
       "steps": [{"at": "0ms", "do": "origin", "path": "/d", "responses": [{"body": {"file": "late.png"}}]}]}
      """#)
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    let pictures = ScenarioPictures(scenario, folder: folder)
    let shown = { (seed: Int, title: String?) in pictures.id(of: Self.picture(seed), of: title) }
    #expect(["A", "B", "C", "D", nil].map { shown(1000, $0) } == ["B", "B", "C", "B", "B"])
    #expect(["A", "D", nil].map { shown(2000, $0) } == ["D", "D", "D"])
    #expect(shown(3000, "A") == nil)
    #expect(shown(1, "B") == nil, "the picture of A has not been generated yet")
    #expect(pictures.body(of: "A") == Self.picture(1))
    #expect(shown(1, "B") == "A", "a generated picture belongs to one image only")
  }

  @Test(
    "A symbolic link serves as picture and body only if it stays inside the scenario's folder",
    arguments: ["../mine.png", "/dev/zero", "inside.png"])
  func linkOut(target: String) throws {
    let around = try Self.folder(with: ["mine.png": 1000])
    defer { try? FileManager.default.removeItem(at: around) }
    let folder = around.appending(path: "scenario")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.picture(1000).write(to: folder.appending(path: "inside.png"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "mine.png").path, withDestinationPath: target)
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}],
       "origin": {"routes": [{"path": "/a", "responses": [{"body": {"file": "mine.png"}}]}]}, "steps": []}
      """#)
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    let isInside = target == "inside.png"
    let pictures = ScenarioPictures(scenario, folder: folder)
    #expect(pictures.id(of: Self.picture(1000), of: nil) == (isInside ? "A" : nil))
    let answer = ScenarioOrigin(scenario, folder: folder).answer(ScenarioPath("/a"), number: 0)
    #expect(answer.status == (isInside ? 200 : 500))
    #expect((answer.body == Self.picture(1000)) == isInside)
  }

  private static func picture(_ seed: Int) -> Data { PatternPicture(seed: seed, width: 64, height: 64).png }

  /// Creates a folder of pictures with the given names and seeds.
  private static func folder(with pictures: [String: Int]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, seed) in pictures { try picture(seed).write(to: folder.appending(path: name)) }
    return folder
  }

  @Test("Seeds that differ in any of 24 bits produce different, valid pictures")
  func seeds() throws {
    let seeds = [0, 1] + (0..<24).map { 1 << $0 } + [0xFFFFFF]
    let files = try Set(seeds).map { seed in
      try Picture(validating: PatternPicture(seed: seed, width: 1, height: 1).png).bytes
    }
    #expect(Set(files).count == Set(seeds).count)
  }

  @Test("Two seeds produce two different pictures that the model accepts") func sizes() throws {
    let first = try Picture(validating: PatternPicture(seed: 1, width: 64, height: 48).png)
    let second = try Picture(validating: PatternPicture(seed: 2, width: 300, height: 200).png)
    #expect((first.width, first.height, first.format) == (64, 48, .png))
    #expect((second.width, second.height) == (300, 200))
    #expect(first.bytes != second.bytes)
  }
}
