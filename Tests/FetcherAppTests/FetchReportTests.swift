import FetcherModel
import Testing

@testable import FetcherApp

@Suite struct FetchReportTests {
  @Test("A slash with a combining mark ends a segment of a file name")
  func combiningMarks() {
    #expect(FileNames.name(for: "http://h/a/x%2F%CC%81y.png").file(.png) == "x_\u{301}y.png")
  }

  @Test("The report on a fetch contains no credentials", arguments: addresses)
  func credentials(_ address: String, _ shown: String) {
    #expect(FetchReport(url: address, strategy: "async").url == shown)
  }

  private static let addresses: [(String, String)] = [
    // A password can contain any character.
    ("http://user:PASSWORD@host/a?b@c", "http://host/a?b@c"),
    ("http://user@host/", "http://host/"),
    ("http://user:s3 cret@host/", "http://host/"),
    ("http://user:s3\tcret@host/", "http://host/"),
    ("http://user:s3\u{A0}cret@host/", "http://host/"),
    ("http://user:s3\ncret@host/", "http://host/"),
    (#"http://user:s3"cret@host/"#, "http://host/"),
    ("http://user:s3'cret@host/", "http://host/"),
    ("http://user:s3<cret@host/", "http://host/"),
    ("http://user:s3>cret@host/", "http://host/"),
    (#"http://user:s3\cret@host/"#, "http://host/"),
    ("http://user:s3@cret@host/", "http://host/"),
    ("http://user:s3/cret@host/", "http://host/"),
    ("http://user:s3?cret@host/", "http://host/"),
    ("http://user:s3#cret@host/", "http://host/"),
    ("http://user:s3/c@re/t@host/", "http://host/"),
    ("http://user name:s3/cret@host/", "http://host/"),
    ("http://user:s3\u{301}/cret@\u{301}host/", "http://\u{301}host/"),
    ("http://user:s3cret@[::1]:8080/a.png", "http://[::1]:8080/a.png"),
    ("http://user:s3cret@", "http://"),
    // These texts only resemble an address.
    ("http:/user:s3cret@host/", "http:/host/"),
    ("http:user:s3cret@host/", "host/"),
    ("http:///user:s3cret@host/", "http:///host/"),
    (#"http:\\user:s3cret@host\a"#, #"http:\\host\a"#),
    ("//user:s3cret@host/", "host/"),
    ("user:s3cret@host/a.png", "host/a.png"),
    ("user@host", "host"),
    (" http://user:s3cret@host/", "host/"),
    ("ht tp://user:s3cret@host/", "host/"),
    ("http//user:s3/cret@host/", "host/"),
    ("ftp://user:s3cret@host/", "ftp://host/"),
    ("http://user:s3cret%40host/", "http://host/"),
    ("http://user:s3cret\u{FF20}host/", "http://host/"),
    ("http://user:s3cret@ho st/", "http://ho st/"),
    // These addresses contain another address.
    ("http://host/http://user:s3cret@inner/", "http://host/http://inner/"),
    ("http://host/?to=//user:s3/cret@inner/", "http://host/?to=//inner/"),
    ("http://host/?to=http%3A%2F%2Fuser%3As3cret%40inner%2F", "http://host/?to=http%3A%2F%2Finner%2F"),
    // These addresses contain no credentials.
    ("http://h/a@2x.png", "http://h/a@2x.png"),
    ("http://h:80/a b@2x.png", "http://h:80/a b@2x.png"),
    ("http://h//a@2x.png", "http://h//a@2x.png"),
    ("https://h?mail=me@x", "https://h?mail=me@x"),
    ("http://[::1]/a%402x.png#a@b", "http://[::1]/a%402x.png#a@b"),
    ("http://höst.example/ä@2x.png", "http://höst.example/ä@2x.png"),
    ("http://h:80a/x.png", "http://h:80a/x.png"),
  ]
}
