/// Ends the program with this message unless the condition holds. The message of `precondition` is lost in release.
public func require(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { fatalError(message()) }
}
