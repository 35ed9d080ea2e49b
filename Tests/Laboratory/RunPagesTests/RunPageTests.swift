import Foundation
import RunPages
import Testing

@Suite struct RunPageTests {
  private static func page(_ rows: [PageRow], title: String = "a run") -> RunPage {
    var run = PageRun(id: "dataTask", name: "dataTask")
    run.rows = rows
    run.kinds = ["note"]
    return RunPage(title: title, subtitle: "", runs: [run], files: [])
  }

  private static func html(_ page: RunPage) throws -> String {
    String(decoding: RunPageWriter.html(page), as: UTF8.self)
  }

  @Test("A text from the run cannot close the page's data element") func escaping() throws {
    let row = PageRow(.zero, .main, .note, "</script><script>alert(1)</script><!--")
    let html = try Self.html(Self.page([row], title: "<b>"))
    #expect(html.components(separatedBy: "</script>").count == 3)
    #expect(html.contains("\\u003c/script>\\u003cscript>alert(1)"))
    #expect(html.contains("<title>&lt;b&gt;</title>"))
    #expect(!html.contains("<!--"))
  }

  @Test("A page does not refer to any other file") func selfContained() throws {
    let html = try Self.html(Self.page([PageRow(.zero, .main, .note, "")]))
    for word in ["http://", "https://", "src=", "@import", "url(h", "fetch("] {
      #expect(!html.contains(word), "\(word)")
    }
    #expect(html.contains("default-src 'none'"))
  }

  @Test("A page with 10,000 rows is smaller than 3 MB") func size() throws {
    var run = PageRun(id: "dataTask", name: "dataTask")
    run.kinds = ["bus.post"]
    run.names = (0..<50).map { "answer \($0), bytes\nnetwork" }
    run.rows = (0..<10_000).map { number in
      var row = PageRow(.milliseconds(number), .bus, .post, "ImageFetched image-\(number) -> detail, list, slides")
      (row.subject, row.number, row.ready) = ("image-\(number)", number, [1, 2, 3, 4, 5, 6])
      row.source = PageRow.Source(file: 0, line: number % 300)
      return row
    }
    run.bars = (0..<5_000).map { PageBar(.subscription, .bus, "detail: ImageFetched", subject: nil, start: 2 * $0) }
    run.arrows = (0..<5_000).map { PageArrow(2 * $0, 2 * $0 + 1, bar: $0) }
    let page = RunPage(title: "", subtitle: "", runs: [run], files: [])
    #expect(RunPageWriter.html(page).count < 3_000_000)
  }

  @Test("A page that hides its verdicts starts at the first step") func hiddenVerdicts() throws {
    var run = PageRun(id: "E1.0:1", name: "fails")
    run.isPassed = false
    run.rows = [PageRow(.zero, .main, .other, ""), PageRow(.zero, .main, .other, "")]
    run.rows[1].failure = "wrong"
    let page = RunPage(title: "", subtitle: "", runs: [run], files: [], hidesVerdicts: true)
    #expect(page.startPosition == "step-1")
    #expect(String(decoding: RunPageWriter.html(page), as: UTF8.self).contains(#""h":true"#))
  }

  @Test("A start position names the run only if the page has several runs") func positions() {
    var failing = PageRun(id: "E1.0:1", name: "fails")
    failing.isPassed = false
    failing.rows = [PageRow(.zero, .main, .other, ""), PageRow(.zero, .main, .other, "")]
    failing.rows[1].failure = "wrong"
    let other = PageRun(id: "E1.-", name: "passes")
    #expect(RunPage(title: "", subtitle: "", runs: [failing], files: []).startPosition == "step-2")
    #expect(RunPage(title: "", subtitle: "", runs: [other, failing], files: []).startPosition == "E1.0:1/step-2")
  }

  @Test("The index links to each run") func index() {
    var index = RunIndex(title: "scenarios")
    index.add(
      RunIndex.Entry(
        row: "late", title: "A & B", column: "async", isPassed: false, verdict: "x", file: "late-async.html"))
    let html = String(decoding: index.html, as: UTF8.self)
    #expect(html.contains("href=\"late-async.html\""))
    #expect(html.contains("A &amp; B"))
  }
}
