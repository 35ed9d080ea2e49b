import Dispatch
package import OriginServer

/// A route that responds with its picture when the test releases it. Until then, it blocks one event loop of the
/// origin, which can serve one other connection.
package struct HeldAnswer: Sendable {
  package let route: OriginRoute
  private let door: DispatchSemaphore

  package init(_ path: String) {
    let door = DispatchSemaphore(value: 0)
    self.door = door
    route = OriginRoute(path: path) { _, _ in
      door.wait()
      // Let the next request pass, too.
      door.signal()
      return OriginResponse(body: .data(Sample.png.bytes))
    }
  }

  /// Lets the route respond, now and to all later requests.
  package func release() { door.signal() }
}
