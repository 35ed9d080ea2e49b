import FetcherModel
import Testing

@testable import FetcherApp

@Suite struct ScenarioPicturesTests {
  @Test("However many images of one pixel a scenario has, each is known by its bytes")
  func manyImages() {
    var scenario = Scenario()
    scenario.images = (0..<1000).map { number in
      Scenario.Image(id: "\(number)", path: "/\(number)", size: Scenario.Size(width: 1, height: 1))
    }
    let pictures = ScenarioPictures(scenario)
    let mistaken = pictures.bodies.filter { id, bytes in pictures.id(of: bytes) != id }
    #expect(pictures.bodies.count == 1000)
    #expect(mistaken.keys.sorted() == [])
  }

  @Test("Seeds that differ in any bit have different pictures, which are valid")
  func seeds() throws {
    let seeds = [0, 1] + (0..<24).map { 1 << $0 } + [0xFFFFFF]
    let files = try Set(seeds).map { seed in
      try Picture(validating: PatternPicture(seed: seed, width: 1, height: 1).png).bytes
    }
    #expect(Set(files).count == Set(seeds).count)
  }
}
