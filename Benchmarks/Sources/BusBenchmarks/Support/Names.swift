import Foundation

/// The contenders' names, shared by all rows.
enum Names {
  static let bus = "EventBus"
  static let small = "SmallBus"
  static let center = "NotificationCenter"
  static let subject = "PassthroughSubject"
  static let list = "closures under a Mutex"
  static let stream = "AsyncStream"
  static let busStream = "EventBus, for await"
  static let mainMessage = "MainActorMessage"
  static let asyncMessage = "AsyncMessage"
}

extension Notification.Name {
  static let tick = Notification.Name("tick")
  static let tock = Notification.Name("tock")
}
