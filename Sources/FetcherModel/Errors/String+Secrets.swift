extension String {
  /// The text without the parts of addresses that may hold a secret: user information, queries and fragments.
  var withoutSecrets: String {
    withoutUserInformation.replacing(/[?#][^\s"<>]*/.matchingSemantics(.unicodeScalar), with: "")
  }

  /// The text without the user information of the addresses in it.
  package var withoutUserInformation: String {
    replacing(/\/\/[^\/?#\s"<>]*@/.matchingSemantics(.unicodeScalar), with: "//")
  }
}
