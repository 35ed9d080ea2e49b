// The C library declares `stdout` as a global variable.
@preconcurrency public import Foundation
import ScheduleExplorer

/// The entry point of the executable that `fetcher lesson solve` builds from a learner's file.
///
/// The learner's code runs in the same process, so it can print, exit, and write to any descriptor. Only a report that
/// starts with the proof counts as a solution. The judge reads the proof before the learner's code runs, and sends it
/// only if the version passes.
public enum LessonAttempt {
  /// The descriptor that receives the report.
  public static let descriptor: Int32 = 3

  /// Judges the variant, reports the verdict and exits.
  ///
  /// The standard output belongs to the variant. It is written line by line, so that a crash loses none of it.
  public static func main(_ play: LessonPlay) -> Never {
    let words = readWords()
    guard words.count == 2, let seed = UInt64(words[1]) else { fatalError("The input must be a proof and a seed.") }
    setvbuf(stdout, nil, _IOLBF, 0)
    SourceLine.setUnoptimized()
    let verdict = LessonVerdict(judging: play, seed: seed)
    let json = (try? JSONEncoder().encode(verdict)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    fflush(nil)
    // The learner's code may have written to the descriptor, so the report starts on a new line.
    send(Array("\n\(LessonReport(verdict.isSolved ? String(words[0]) : nil, json).line)\n".utf8)[...])
    // `exit` would run the learner's exit handlers.
    _exit(0)
  }

  /// Reads the first line of the standard input without a buffer, so that no other code finds it in one.
  private static func readWords() -> [Substring] {
    var (line, byte) = ([UInt8](), UInt8(0))
    while read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self).split(separator: " ")
  }

  private static func send(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// One line of an attempt's report.
public struct LessonReport: Sendable {
  private static let withoutProof = "-"

  fileprivate let line: String

  fileprivate init(_ proof: String?, _ json: String) { line = "\(proof ?? Self.withoutProof) \(json)" }

  /// Returns the verdict in a report, or nil if the report is incomplete. A solution counts only with its proof.
  public static func verdict(in report: Data, proof: String) -> LessonVerdict? {
    let lines = report.split(separator: UInt8(ascii: "\n"))
    let verdicts = { (word: String) in
      lines.lazy.filter { $0.starts(with: "\(word) ".utf8) }.compactMap { line in
        try? JSONDecoder().decode(LessonVerdict.self, from: Data(line.dropFirst(word.utf8.count + 1)))
      }
    }
    return verdicts(proof).first ?? verdicts(withoutProof).last { !$0.isSolved }
  }
}
