import Comparison
import Foundation
import TestMachine
import Testing

@Suite("Reports of a recorded comparison", .computing) struct ReportTests {
  private let analysis = ComparisonAnalysis(RecordedRun.record(latencies: 100))

  @Test("The text report begins with the answer and fits into 100 columns") func text() {
    let lines = TextReport(ReportDocument(analysis)).lines.map(\.text)
    #expect(
      lines[0] == "Compared 3 strategies on Linux (an iPhone differs), local server, 10 runs each, 61 s, 2 cores.")
    #expect(lines.contains("What decides"))
    #expect(lines.contains { $0.hasPrefix("list      choose dataTask or async: all are within 1.0") })
    #expect(
      lines.contains {
        $0.hasPrefix("behavior  dataTask and async pass every scenario that applies to them; blocking fails 1")
      })
    for line in lines { #expect(line.count <= 100, "\(line)") }
  }

  @Test("The same record produces the same report in every format")
  func deterministic() {
    let again = ComparisonAnalysis(RecordedRun.record(latencies: 100))
    #expect(TextReport(ReportDocument(analysis)).lines == TextReport(ReportDocument(again)).lines)
    #expect(MarkdownReport.lines(ReportDocument(analysis)) == MarkdownReport.lines(ReportDocument(again)))
    #expect(ComparisonRow.csv(ComparisonRow.rows(analysis)) == ComparisonRow.csv(ComparisonRow.rows(again)))
    #expect(HTMLReport.page(analysis, ReportDocument(analysis)) == HTMLReport.page(again, ReportDocument(again)))
  }

  @Test("Markdown contains the advice and the tables of the report") func markdown() {
    let lines = MarkdownReport.lines(ReportDocument(analysis))
    let table = lines.filter { $0.hasPrefix("| ") }
    #expect(table.count > 10)
    #expect(lines.contains { $0.hasPrefix("- **list**: choose dataTask or async: all are within 1.0") })
    #expect(lines.contains { $0.hasPrefix("| strategy | images/s | vs dataTask |") })
  }

  @Test("The CSV of a comparison without rows is its header") func emptyCSV() {
    #expect(ComparisonRow.csv([]).map { $0.hasPrefix("workload,metric,unit,") } == [true])
  }

  @Test("The CSV has one line per metric and contender, and all lines have the same number of fields") func csv() {
    let lines = ComparisonRow.csv(ComparisonRow.rows(analysis))
    let fields = Set(lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count })
    #expect(fields == [20])
    #expect(
      lines.contains { $0.hasPrefix("list,throughput,1/s,higher,blocking,strategy,10,") && $0.contains(",worse,") })
  }

  @Test("The HTML page is self-contained, without scripts, links or other files") func page() {
    let page = HTMLReport.page(analysis, ReportDocument(analysis))
    for word in ["<script", "http:", "https:", "src=", "@import", "url("] { #expect(!page.contains(word), "\(word)") }
    #expect(page.contains("prefers-color-scheme: dark"))
    #expect(page.contains("name=\"viewport\""))
    #expect(!page.contains("NaN") && !page.lowercased().contains("inf\""))
  }

  @Test("The HTML page is well-formed, so a browser does not have to repair it") func wellFormed() {
    let page = HTMLReport.page(analysis, ReportDocument(analysis))
    let body = page.replacing("<!DOCTYPE html>\n", with: "").replacing(/<meta [^>]*>/) { "\($0.output.dropLast())/>" }
    let parser = XMLCheck()
    #expect(parser.problem(in: body) == nil)
  }

  @Test("The HTML page begins with the screen, followed by the contents and the plots") func order() throws {
    let page = HTMLReport.page(analysis, ReportDocument(analysis))
    let positions = ["<table>", "<nav>", "<h2 id=\"plots\">", "<svg", "<h2 id=\"part-0\">"].map {
      page.firstRange(of: $0)?.lowerBound
    }
    let found = positions.compactMap(\.self)
    #expect(found.count == 5 && found == found.sorted())
    let targets = Set(page.matches(of: /href="#([^"]*)"/).map { String($0.1) })
    let names = Set(page.matches(of: /\sid="([^"]*)"/).map { String($0.1) })
    #expect(targets == names && names.count > 5)
  }

  @Test("The HTML page has no backticks around a command, even if the command is cut") func backticks() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index].failure = "run `a` and `b"
    }
    let analysis = ComparisonAnalysis(record)
    let page = HTMLReport.page(analysis, ReportDocument(analysis))
    #expect(!page.contains("`") && page.contains("<code>b</code>"))
  }

  @Test("Every bar begins at zero and has its interval") func bars() throws {
    let page = HTMLReport.page(analysis, ReportDocument(analysis))
    let bars = page.matches(of: /<rect x="([0-9.]+)"[^>]*class="bar s/)
    #expect(bars.count == 18)
    #expect(Set(bars.map(\.1)) == ["96"])
    #expect(page.matches(of: /class="whisker"/).count == 3 * bars.count)
    #expect(page.contains(">images/s</text>"))
    #expect(page.contains(">MB</text>"))
  }

  @Test("Each table cell contains its column title, for narrow screens") func narrow() {
    let page = HTMLReport.page(analysis, ReportDocument(analysis))
    let cells = page.matches(of: /<td([^>]*)>/)
    #expect(!cells.isEmpty)
    for cell in cells { #expect(cell.1.contains("data-label=\""), "\(cell.0)") }
    #expect(page.contains("data-label=\"CPU s/1000\""))
    #expect(page.contains("content: attr(data-label)"))
  }

  @Test("The color of a cell depends on its verdict, not on its text") func verdicts() {
    var record = RecordedRun.record()
    for index in record.behavior.indices { record.behavior[index].scenario = "breaks" }
    let analysis = ComparisonAnalysis(record)
    let page = HTMLReport.page(analysis, ReportDocument(analysis, behavior: .all))
    #expect(page.contains("<th>breaks</th>"))
    #expect(page.contains("<td class=\"bad\" data-label=\"blocking\">breaks</td>"))
    #expect(page.contains("<td class=\"bad\" data-label=\"blocking\">94.5 worse</td>"))
  }

  @Test("Special characters in a text do not become markup") func escaping() {
    var record = RecordedRun.record()
    record.behavior[0].why = "<script>alert(1)</script> & | more"
    let analysis = ComparisonAnalysis(record)
    let page = HTMLReport.page(analysis, ReportDocument(analysis, behavior: .all))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp;"))
    let markdown = MarkdownReport.lines(ReportDocument(analysis, behavior: .all)).joined(separator: "\n")
    #expect(markdown.contains("\\<script\\>"))
  }

  @Test("The report states the network that each workload simulates") func network() {
    var record = RecordedRun.record()
    record.settings.workloads[0].network = NetworkSettings(roundTrip: 0.04, bandwidth: 1.5e6)
    let text = ReportDocument(ComparisonAnalysis(record)).blocks.map { "\($0)" }.joined(separator: "\n")
    #expect(text.contains("Network: simulated, 40.0 ms round trip, 1.5 Mbit/s in each direction"))
    #expect(text.contains("Network: loopback, where only the server adds latency"))
    #expect(text.contains("So does the simulated network"))
    #expect(!text.contains("there is no network between them."))
  }

  @Test("The stated limit of images per second accounts for a simulated network") func most() {
    var settings = WorkloadSettings(.list, images: 100, size: 10_000, latency: 0.02, inFlight: 6)
    #expect(settings.summary.hasSuffix("so 300 images/s at most"))
    settings.network = NetworkSettings(roundTrip: 0.04)
    #expect(settings.summary.hasSuffix("so 100 images/s at most"))
    settings.network = NetworkSettings(roundTrip: 0.04, bandwidth: 4e6)
    #expect(settings.summary.hasSuffix("so 50 images/s at most"))
  }

  @Test("Scenarios that only an unfit strategy breaks are summarized in one line") func omitted() {
    let lines = Self.joined(TextReport(ReportDocument(analysis)).lines.map(\.text))
    #expect(lines.contains("Of 1 scenarios, 0 pass with every strategy, and 1 fail only with blocking."))
    #expect(!lines.contains("scenario blocking"))
    let all = Self.joined(TextReport(ReportDocument(analysis, behavior: .all)).lines.map(\.text))
    #expect(all.contains("scenario blocking dataTask async"))
  }

  /// Joins the lines, without line breaks.
  private static func joined(_ lines: [String]) -> String {
    lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
  }
}

/// A check that finds the first unbalanced tag in an XML document. It covers the XML that this module writes.
private struct XMLCheck {
  func problem(in text: String) -> String? {
    var open: [Substring] = []
    for match in text.matches(of: /<(\/?)([a-z0-9]+)((?:[^<>"]|"[^"]*")*)>/) {
      if match.1 == "/" {
        guard open.popLast() == match.2 else { return "\(match.0)" }
      } else if !match.3.hasSuffix("/") {
        open.append(match.2)
      }
    }
    return open.isEmpty ? nil : "not closed: \(open)"
  }
}
