import Foundation

extension NetworkResponse {
  /// The time for which the server asks a client to wait before it sends the request again: the value of the field
  /// `Retry-After` of a response with status 429 or 503. Nil if there is none.
  ///
  /// A date counts from the response's field `Date`, because the clocks of the two machines may differ.
  var retryAfter: Duration? {
    guard status == 429 || status == 503, let text = value(of: "Retry-After") else { return nil }
    if let seconds = Int(text), seconds >= 0 { return .seconds(min(seconds, 1 << 31)) }
    guard let date = Self.date(text), let sent = value(of: "Date").flatMap(Self.date) else { return nil }
    return .seconds(max(0, date.timeIntervalSince(sent)))
  }

  private func value(of name: String) -> String? {
    headers[name]?.trimmingCharacters(in: .whitespaces)
  }

  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text)
  }
}
