import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import TestMachine
import Testing

@Suite("The examples for views in the overview", .childProcesses) struct ViewExamples {
  // The example runs in a process of its own, because other tests can keep the pool of tasks busy until its deadline.
  @Test("A loop draws each state of an image") func loop() async {
    await #expect(processExitsWith: .success) {
      let environment = FetchEnvironment(strategy: .closure("stub") { _ in FetchedBody(bytes: Sample.png.bytes) })
      let sunset = IFImage(name: "Sunset", url: "https://example.org/sunset.png", in: environment)
      let (drawn, continuation) = AsyncStream.makeStream(of: ImageState.self)
      let drawing = Task {
        let draw = { (state: ImageState) in _ = continuation.yield(state) }
        // snippet
        for await state in sunset.states { draw(state) }
        // end
      }
      var states = drawn.makeAsyncIterator()
      #expect(await states.next() == .idle)
      sunset.startLoading()
      #expect(await states.next() == .fetching(previous: nil))
      #expect(await states.next()?.picture?.format == .png)
      drawing.cancel()
    }
  }
}
