import EventBus

/// How long each request of an environment may take, from its start.
final class Deadlines: Sendable {
  private struct State {
    var exception: (@Sendable (_ address: String) -> Duration?)?
  }

  private let common: Duration?
  private let state = Locked(State())

  init(_ common: Duration?) { self.common = common }

  /// Asked with the address of each request that starts; nil from it means the common deadline.
  var exception: (@Sendable (_ address: String) -> Duration?)? {
    get { state.withLock { $0.exception } }
    set { state.withLock { $0.exception = newValue } }
  }

  /// The deadline of a request that starts now.
  func deadline(of address: String) -> Duration? { exception?(address) ?? common }
}
