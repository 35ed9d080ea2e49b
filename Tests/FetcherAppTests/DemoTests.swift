import EventBus
import FetcherModel
import Foundation
import OriginServer
import TestMachine
import Testing

@testable import FetcherApp

@Suite(.computing) struct DemoTests {
  private static let folder = packageRoot.appending(path: "Sources/FetcherApp/Resources/pictures")

  @Test("In the demo's walk, no row precedes its cause")
  func causes() async throws {
    for _ in 0..<LongTests.times(1, long: 200) {
      let origin = try OriginServer(content: DemoWalk.content(of: Self.folder))
      let walk = await DemoWalk(origin.baseURL, folder: Self.folder, runtime: UncrowdedRuntime())
      // On a busy machine, a picture can arrive before the user selects the next one.
      guard try await walk.run() == nil else { continue }
      let lines = walk.log.lines(heading: { $0 }, note: { $0 })
      #expect(lines.count <= 42)
      #expect(lines.allSatisfy { $0.count <= 100 }, "\(lines)")
      let row = { (text: String) in try #require(lines.firstIndex { $0.contains(text) }, "\(text): \(lines)") }
      for (cause, effect) in [
        ("  subscribe sunset", "post ImageFetched sunset -> detail"), ("read sunset", "post ImageFetched sunset"),
        ("post ImageFetched sunset -> detail", "deliver to detail"), ("unsubscribe peaks", "200 peaks"),
        ("200 peaks", "post ImageFetched peaks -> no subscriber"),
        ("200 city", "post ImageFetched city -> detail"), ("200 dunes", "post ImageFetched dunes -> no subscriber"),
        ("subscribe stars", "post ImageFetchFailed stars -> detail"),
      ] { #expect(try row(cause) < row(effect), "\(lines)") }
      for delivery in lines.filter({ $0.contains("deliver to") }) { #expect(delivery.contains("  draw ")) }
    }
  }

  @Test("The demo's walk reports a wrong picture")
  func wrongPicture() async throws {
    var content = DemoWalk.content(of: Self.folder)
    content.routes[0].responses[0].body = .file(Self.folder.appending(path: "moon-20.gif"))
    let origin = try OriginServer(content: content)
    let walk = await DemoWalk(origin.baseURL, folder: Self.folder, runtime: UncrowdedRuntime())
    let problem = try #require(try await walk.run())
    #expect(problem.hasPrefix("the view drew nothing, placeholder, another picture, "))
  }
}
