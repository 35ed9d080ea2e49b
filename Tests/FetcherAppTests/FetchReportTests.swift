import FetcherModel
import Testing

@testable import FetcherApp

@Suite struct FetchReportTests {
  @Test("A slash with a combining mark ends a segment in the name of a file")
  func combiningMarks() {
    #expect(FileNames.name(for: "http://h/a/x%2F%CC%81y.png").file(.png) == "x_\u{301}y.png")
  }

  @Test("A report of a fetch has no password")
  func report() {
    #expect(FetchReport(url: "http://user:PASSWORD@host/a?b@c", strategy: "async").url == "http://host/a?b@c")
  }
}
