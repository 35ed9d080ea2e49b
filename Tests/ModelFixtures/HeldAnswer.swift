import Dispatch
package import OriginServer

/// A route whose picture comes when the test says so. Until then it keeps one event loop of the origin busy: one more connection
/// is served beside it.
package struct HeldAnswer: Sendable {
  package let route: OriginRoute
  private let door: DispatchSemaphore

  package init(_ path: String) {
    let door = DispatchSemaphore(value: 0)
    self.door = door
    route = OriginRoute(path: path) { _, _ in
      door.wait()
      // For the next one.
      door.signal()
      return OriginResponse(body: .data(Sample.png.bytes))
    }
  }

  /// Lets the picture come, now and from now on.
  package func release() { door.signal() }
}
