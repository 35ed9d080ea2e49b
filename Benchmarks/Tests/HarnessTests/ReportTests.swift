import Foundation
import Testing

@testable import Harness

@Suite struct ReportTests {
  private let report = Report(
    program: "p", subject: "bus", machine: .current, rounds: 3,
    rows: [
      RowReading(
        name: "post", work: "post once", unit: .nanoseconds,
        readings: [
          Reading(of: .ours("bus") { { _ in } }, [10, 20, 30], against: nil),
          Reading(of: .peer("peer", atLeast: 10) { { _ in } }, [100, 200, 300], against: [10, 20, 30]),
          Reading(of: .floor("floor", atMost: 1.5) { { _ in } }, [5, 10, 15], against: [10, 20, 30]),
        ])
    ])

  @Test("The table has a line for each contender with its goal")
  func markdown() {
    let lines = report.markdown.split(separator: "\n").suffix(3)
    #expect(
      lines == [
        "| post once | bus | 20 ns | 15 – 25 |  |  |  |",
        "|  | peer | 200 ns | 150 – 250 | 10.0x as fast | at least 10x | met |",
        "|  | floor | 10 ns | 7.5 – 12.5 | 2.00x its time | at most 1.5x | MISSED |",
      ])
    #expect(report.missed == 1)
  }

  @Test("The text has the same figures in columns")
  func text() {
    #expect(
      report.rows[0].text == """
        post once  [post]
          bus           20 ns  15 – 25
          peer         200 ns  150 – 250           10.0x as fast  at least 10x    met
          floor         10 ns  7.5 – 12.5         2.00x its time  at most 1.5x    MISSED
        """)
  }

  @Test("An updated page keeps the text outside its marks")
  func page() {
    let page = "above\n<!-- measured: p -->\nold\n<!-- end of measured: p -->\nbelow\n"
    let renewed = report.replacingTable(in: page)
    #expect(renewed == "above\n<!-- measured: p -->\n\n\(report.markdown)\n\n<!-- end of measured: p -->\nbelow\n")
    #expect(report.replacingTable(in: renewed) == renewed)
  }

  @Test("A page needs both marks in their order")
  func pageWithoutMarks() {
    #expect(Report.hasPlace(in: "<!-- measured: p --> <!-- end of measured: p -->", for: "p"))
    #expect(!Report.hasPlace(in: "<!-- measured: p -->", for: "p"))
    #expect(!Report.hasPlace(in: "<!-- measured: p --> <!-- end of measured: p -->", for: "q"))
    #expect(!Report.hasPlace(in: "<!-- end of measured: p --> <!-- measured: p -->", for: "p"))
  }

  @Test("JSON has the figures of the text")
  func json() throws {
    let object = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any])
    let row = try #require((object["rows"] as? [[String: Any]])?.first)
    let readings = try #require(row["readings"] as? [[String: Any]])
    #expect(row["unit"] as? String == "ns")
    #expect(readings.map { $0["role"] as? String } == ["ours", "peer", "floor"])
    #expect(readings.map { $0["ratio"] as? Double } == [nil, 10, 2])
    #expect(readings.map { $0["isMet"] as? Bool } == [nil, true, false])
    #expect((readings[1]["spread"] as? [String: Any])?["median"] as? Double == 200)
  }
}
