import Bytes

extension String {
  /// The text without the parts of addresses that may hold a secret: user information, queries and fragments.
  var withoutSecrets: String {
    withoutCredentials.replacing(/[?#][^\s"<>]*/.matchingSemantics(.unicodeScalar), with: "")
  }
}
