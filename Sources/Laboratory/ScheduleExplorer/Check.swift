/// Throws a `Finding` with the message unless the condition holds.
///
/// For the checks of explored code. An assertion of a testing library would report each failing schedule of the search by
/// itself; this one leaves the report to the search.
public func check(
  _ condition: Bool, _ message: @autoclosure () -> String = "the check does not hold", fileID: String = #fileID,
  line: Int = #line
) throws(Finding) {
  guard !condition else { return }
  throw Finding(.check, "\(message()) (\(fileID):\(line))")
}
