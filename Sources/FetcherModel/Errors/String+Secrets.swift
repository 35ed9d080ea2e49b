import Bytes

extension String {
  /// The text without the parts of addresses that may hold a secret: user information, queries and fragments.
  ///
  /// A number such as `#42` that no address precedes stays.
  var withoutSecrets: String {
    let pattern = /(?<number>(?:^|\s)#\d+\b)|[?#][^\s"<>]*/.matchingSemantics(.unicodeScalar)
    return withoutCredentials.replacing(pattern) { match in match.number ?? "" }
  }
}
