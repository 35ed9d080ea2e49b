import Comparison
import Foundation
import TestMachine
import Testing

@Suite("The file format of a comparison record") struct RecordTests {
  @Test("A record that is written and read back produces the same report") func roundTrip() throws {
    let record = RecordedRun.record()
    let data = try JSONEncoder().encode(record)
    let again = try JSONDecoder().decode(ComparisonRecord.self, from: data)
    let lines = { (record: ComparisonRecord) in TextReport(ReportDocument(ComparisonAnalysis(record))).lines }
    #expect(lines(again) == lines(record))
  }

  @Test("The decoder accepts a record with keys and metrics of a later version") func laterVersion() throws {
    var object = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(RecordedRun.record())) as? [String: Any])
    object["later"] = ["a": 1]
    var samples = try #require(object["samples"] as? [[String: Any]])
    samples[0]["values"] = ["later": 3.0]
    object["samples"] = samples
    let data = try JSONSerialization.data(withJSONObject: object)
    #expect(try JSONDecoder().decode(ComparisonRecord.self, from: data).samples.count == samples.count)
  }

  @Test("The schema describes every key and requires no optional key") func schema() throws {
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(ComparisonSchema.text.utf8)) as? [String: Any])
    var record = RecordedRun.record()
    record.settings.workloads[0].network = NetworkSettings(roundTrip: 0.04, bandwidth: 1e7)
    record.settings.until = ComparisonRecord.Until(limit: 360)
    record.settings.workloads[1].pictureSize = 4_000_000
    record = record.measuredOverHTTPS()
    record.settings.contenders[0].unfit = "cannot cancel"
    var object = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(record)) as? [String: Any])
    let rows = ComparisonRow.rows(ComparisonAnalysis(record))
    object["decisions"] = try JSONSerialization.jsonObject(
      with: JSONEncoder().encode(ComparisonAnalysis(record).decisions))
    object["rows"] = try JSONSerialization.jsonObject(with: JSONEncoder().encode(rows))
    #expect(try SchemaCheck(schema).problems(object) == [])
  }
}
