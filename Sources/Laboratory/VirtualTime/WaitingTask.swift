/// A task that nothing resumes.
package struct WaitingTask: Sendable {
  /// What it is called; nil for the program.
  package let name: String?
  /// What the task is called whose end it awaits, if it awaits one.
  package let awaited: String?
  /// Where it waits, innermost first.
  package let addresses: [CodeAddress]

  package init(name: String?, awaited: String?, addresses: [CodeAddress]) {
    self.name = name
    self.awaited = awaited
    self.addresses = addresses
  }
}
