import Foundation

extension Scenario.Response {
  /// Where it sends the client, as the server writes it; nil where it is an answer itself.
  package var redirect: String? {
    guard Self.redirects.contains(status) else { return nil }
    return headers.first { $0.name.lowercased() == "location" }?.value
  }

  /// The statuses with which Foundation goes where `Location` says.
  package static let redirects: Set<Int> = [301, 302, 303, 305, 306, 307, 308]
}
