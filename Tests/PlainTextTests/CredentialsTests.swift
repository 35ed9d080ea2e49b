import PlainText
import TestMachine
import Testing

@Suite struct CredentialsTests {
  @Test("A valid URL loses its credentials and nothing else")
  func valid() {
    let wrong = SecretAddresses.valid.filter { $0.text.addressWithoutCredentials != $0.plain }
    #expect(SecretAddresses.valid.count > 10_000)
    #expect(wrong.map(\.text) == [])
  }

  /// Tests every fifth text by default: each form of an address, in each kind of text.
  @Test("A text loses the credentials of every URL in it")
  func texts() {
    let all = SecretAddresses.valid.map(\.text) + SecretAddresses.texts
    let texts = stride(from: 0, to: all.count, by: LongTests.times(5, long: 1)).map { all[$0] }
    #expect(texts.filter { $0.withoutCredentials.contains(SecretAddresses.secret) } == [])
    #expect(texts.filter { $0.addressWithoutCredentials.contains(SecretAddresses.secret) } == [])
  }

  @Test(
    "A text without credentials does not change",
    arguments: [
      "", "@", "%40", "me@example.org", "at 12: me@example.org", "/a@2x.png", "a@2x.json:3:4: it",
      "http://h/a@2x.png and https://h:8080?mail=me@x", "http://höst.example//a@2x.png", "%", "%%%4", "\\u004",
      "\u{FF20}",
    ])
  func unchanged(_ text: String) { #expect(text.withoutCredentials == text) }

  @Test("The ranges of credentials are byte offsets in order")
  func ranges() {
    let text = "ä http://ü:p%2540@h/ http://v@h/"
    #expect(Credentials(in: Array(text.utf8)).ranges == [10..<20, 30..<32])
  }
}
