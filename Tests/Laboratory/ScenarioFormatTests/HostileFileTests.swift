import Foundation
import PlainText
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioFormat

/// `check` must survive files from any source.
@Suite(.computing) struct HostileFileTests {
  /// Reads a file and reports on it, as `check` does. Returns the processor time of this thread.
  @discardableResult private static func check(_ text: String) -> Duration {
    let bytes = Array(text.utf8)
    let start = processorTime
    let file = ScenarioFile(
      SourceText(path: "x.json", bytes: bytes), name: "x", vocabulary: .sample,
      validateFile: { FileProblem(message: "the file \(quoted($0)) does not exist", advice: "") })
    let lines = DiagnosticReport(source: file.source, diagnostics: file.diagnostics).lines()
    let positions = file.diagnostics.map { file.source.position(of: $0.range.lowerBound) }
    let time = processorTime - start
    #expect(positions.allSatisfy { $0.line > 0 && $0.column > 0 })
    #expect(lines.count <= Diagnostics.most * 6 + 2)
    #expect(lines.allSatisfy { $0.utf8.count < 10_000 }, "no line of a report may grow with the file")
    return time
  }

  /// The processor time of this thread, which does not depend on the load of the machine.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test(
    "Reading eight times the bytes takes at most about 20 times as long",
    arguments: LongTests.some(of: HostileFile.all, every: 5))
  func linear(_ file: HostileFile) {
    Self.check(file.text(1000))
    let (small, large) = (1500, 12_000)
    let once = (0..<3).map { _ in Self.check(file.text(small)) }.min() ?? .zero
    let eightfold = Self.check(file.text(large))
    // A quadratic algorithm takes 64 times as long.
    #expect(eightfold < once * 20 + .milliseconds(10), "\(once) for \(small) bytes, \(eightfold) for \(large)")
  }

  @Test("Reading a mebibyte of any text needs only a small stack", .long, arguments: HostileFile.all)
  func mebibyte(_ file: HostileFile) {
    #expect(Self.check(file.text(SourceText.largest - 1000)) < .seconds(60))
  }

  @Test("A file of 100,000 meaningless characters does not overflow the stack", arguments: [";", "\0", "\u{1F600}"])
  func deepText(_ character: String) {
    Self.check(String(repeating: character, count: 100_000))
  }

  @Test("Many warnings do not hide an error that follows them")
  func manyWarnings() {
    let routes = (0..<150).map { #"{"path":"/r\#($0)","responses":[{}]}"# }.joined(separator: ",")
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}], "origin": {"routes": [\#(routes)]},
       "steps": [{"at": "0ms", "do": "select", "image": "A"}],
       "expect": [{"within": {"event": "fetch.done", "limit": "3600s"}}]}
      """#)
    #expect(file.scenario == nil)
    #expect(file.diagnostics.count { $0.code == .unusedRoute } == 100)
    #expect(file.diagnostics.count { $0.code == .pointlessExpectation } == 1)
  }
}
