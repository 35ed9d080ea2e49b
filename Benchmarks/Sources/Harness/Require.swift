/// Ends the process with the message unless the condition holds. A release build drops the message of `precondition`.
public func require(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { fatalError(message()) }
}
