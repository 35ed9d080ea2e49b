import EventBus

/// Handles that are cancelled together.
struct CancellationGroup: Cancellation {
  let members: [any Cancellation]

  func cancel() {
    for member in members { member.cancel() }
  }
}
