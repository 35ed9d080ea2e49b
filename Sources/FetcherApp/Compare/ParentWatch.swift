import Dispatch
import Foundation

/// Ends a child process with its parent: nobody writes to its stdin, which becomes readable when the parent has gone.
///
/// Unchecked because Dispatch declares no source `Sendable`; it is only cancelled, which any thread may do.
final class ParentWatch: @unchecked Sendable {
  // Of the highest quality, which has threads of its own: the child may have starved the others.
  private let source = DispatchSource.makeReadSource(
    fileDescriptor: STDIN_FILENO, queue: DispatchQueue(label: "parent", qos: .userInteractive))

  /// Watches until ``end()``.
  init(_ shutdown: Shutdown) {
    source.setEventHandler { shutdown.leave(.terminated) }
    source.activate()
  }

  /// Stops watching.
  func end() { source.cancel() }
}
