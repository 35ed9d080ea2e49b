import Comparison
import Foundation
import TestMachine
import Testing

@Suite("A comparison record that was changed by hand", .childProcesses) struct DamagedRecordTests {
  @Test("Validation names an impossible value and its place in the record") func places() {
    let changes: [(String, (inout ComparisonRecord) -> Void)] = [
      ("samples[3].latencies[1] is -0.5; expected 0.0 to 1000000000.0", { $0.samples[3].latencies[1] = -0.5 }),
      ("samples[0].values.throughput is -1.0; expected", { $0.samples[0][.throughput] = -1 }),
      ("samples[0].values.cpu is inf; expected", { $0.samples[0][.cpu] = .infinity }),
      ("samples[0].values.cpu is nan; expected", { $0.samples[0][.cpu] = .nan }),
      ("samples[2].block is -1; expected", { $0.samples[2].block = -1 }),
      ("settings.blocks is -3; expected", { $0.settings.blocks = -3 }),
      ("settings.workloads[1].images is 0; expected", { $0.settings.workloads[1].images = 0 }),
      ("settings.until.limit is 1e+300; expected", { $0.settings.until = ComparisonRecord.Until(limit: 1e300) }),
      ("machine.cores is 0; expected", { $0.machine.cores = 0 }),
      ("comparison is 2; expected 1 to 1", { $0.comparison = 2 }),
    ]
    for (message, change) in changes {
      var record = RecordedRun.record()
      change(&record)
      let problem = #expect(throws: RecordProblem.self) { try record.validate() }
      #expect(problem?.message.hasPrefix(message) == true, "\(problem?.message ?? "")")
    }
    #expect(throws: Never.self) { try RecordedRun.record().measuredOverHTTPS().validate() }
  }

  /// By default, each value is changed to one of ``values``, in turn.
  @Test("A changed number or text in a record never crashes a report") func fuzz() async {
    await #expect(processExitsWith: .success) {
      let record = DamagedRecordTests.fullRecord
      let original = try JSONSerialization.jsonObject(with: JSONEncoder().encode(record))
      var shapes: Set<String> = []
      var reports = 0
      for path in DamagedRecordTests.leaves(original) {
        // One leaf of each shape is enough, because all samples are processed alike.
        let shape = path.map { $0 is Int ? "[]" : "\($0)" }.joined(separator: ".")
        guard shapes.insert(shape).inserted else { continue }
        let step = LongTests.times(14, long: 1)
        for (index, value) in DamagedRecordTests.values.enumerated() where (index + shapes.count) % step == 0 {
          let changed = DamagedRecordTests.changing(original, path[...], to: value)
          let data = try JSONSerialization.data(withJSONObject: changed, options: .fragmentsAllowed)
          guard let read = try? JSONDecoder().decode(ComparisonRecord.self, from: data),
            (try? read.validate()) != nil
          else { continue }
          try DamagedRecordTests.report(read)
          reports += 1
        }
      }
      #expect(reports > LongTests.times(8, long: 100))
    }
  }

  /// A small record with a value for every key.
  static var fullRecord: ComparisonRecord {
    var record = RecordedRun.record(blocks: 6, latencies: 4)
    record.settings.workloads[0].network = NetworkSettings(roundTrip: 0.04, bandwidth: 1e7)
    record.settings.workloads[0].rate = 50
    record.settings.until = ComparisonRecord.Until(limit: 360)
    record.settings.workloads[1].pictureSize = 4_000_000
    var series = Sample.Series()
    (series.seconds, series.threads, series.memory, series.cpu) = ([0, 0.1], [4, 5], [1000, 2000], [0, 0.1])
    var stalls = Sample.Stalls()
    (stalls.seconds, stalls.stall) = ([0, 0.1], [0, 0.01])
    for index in record.samples.indices where record.samples[index].block == 1 {
      record.samples[index].series = series
      record.samples[index].stalls = stalls
      record.samples[index].serviceTimes = [0.01]
    }
    record.samples[9].failure = "the process crashed"
    record.settings.options = ["--images", "4"]
    record.settings.waitedIdle = true
    (record.settings.workloads[1].scenario, record.settings.workloads[1].duration) = ("a.json", 1.5)
    return record
  }

  private static let fullAnalysis = ComparisonAnalysis(fullRecord)

  nonisolated(unsafe) static let values: [Any] = [
    -1, 0, 1e-300, 1e-12, 1e15, 1e300, Int.min, "", "\u{1B}[2J\n|<x>,\"", "wait", "https/2", "control", NSNull(),
    [Any](),
  ]

  static func leaves(_ value: Any) -> [[any Hashable & Sendable]] {
    if let object = value as? [String: Any] {
      return object.sorted { $0.key < $1.key }.flatMap { key, value in [[key]] + leaves(value).map { [key] + $0 } }
    }
    if let list = value as? [Any] {
      return list.enumerated().flatMap { index, value in [[index]] + leaves(value).map { [index] + $0 } }
    }
    return []
  }

  static func changing(_ value: Any, _ path: ArraySlice<any Hashable & Sendable>, to new: Any) -> Any {
    guard let first = path.first else { return new }
    if var object = value as? [String: Any], let key = first as? String {
      object[key] = changing(object[key] ?? new, path.dropFirst(), to: new)
      return object
    }
    if var list = value as? [Any], let index = first as? Int {
      list[index] = changing(list[index], path.dropFirst(), to: new)
      return list
    }
    return value
  }

  /// Renders everything that `compare --load` prints.
  static func report(_ record: ComparisonRecord) throws {
    let analysis = ComparisonAnalysis(record)
    let document = ReportDocument(analysis, behavior: .all)
    _ = TextReport(document).lines
    if let screen = Screen(analysis) {
      let lines = screen.lines.map(\.text)
      #expect(lines.count <= Screen.maximumLines && lines.allSatisfy { $0.count <= Screen.width }, "\(lines)")
      _ = try JSONEncoder().encode(screen)
    }
    _ = MarkdownReport.lines(document)
    _ = HTMLReport.page(analysis, document)
    let rows = ComparisonRow.rows(analysis)
    _ = ComparisonRow.csv(rows)
    _ = try JSONEncoder().encode(rows)
    _ = try JSONEncoder().encode(analysis.decisions)
    _ = AgreementReport.blocks(RunAgreement(analysis, fullAnalysis))
  }
}
