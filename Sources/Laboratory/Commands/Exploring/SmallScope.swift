import Foundation
import ScenarioEngine
import ScenarioFormat

/// All scenarios that combine steps of a given scenario, up to a maximum number of steps. The shortest come first.
///
/// All steps are due at the start. If a search allows any timing, responses arrive at every possible point between the
/// steps. The file's expectations apply only to its own steps, so the search verifies only the invariants.
struct SmallScope {
  private let path: String
  private let members: [String: Any]
  /// The distinct steps of the file, without their times.
  private let vocabulary: [[String: Any]]

  /// Collects the distinct steps of the file, except those that cause no event.
  init(_ source: SourceText) {
    path = source.path
    var members = (try? JSONSerialization.jsonObject(with: Data(source.bytes))) as? [String: Any] ?? [:]
    var seen: Set<Data> = []
    vocabulary = Self.steps(of: members).compactMap { step in
      guard let action = step["do"] as? String, action != "wait-idle", action != "note" else { return nil }
      let plain = step.filter { !["at", "after", "plus", "id"].contains($0.key) }
      return seen.insert(Self.json(plain)).inserted ? plain : nil
    }
    for key in ["steps", "expect", "explore", "lesson"] { members[key] = nil }
    self.members = members
  }

  /// Returns the steps of an object, with each repetition replaced by its first round.
  private static func steps(of object: [String: Any]) -> [[String: Any]] {
    (object["steps"] as? [[String: Any]] ?? []).flatMap { step in
      guard step["repeat"] != nil else { return [step] }
      let index = step["index"] as? String ?? "n"
      let round = String(decoding: json(step), as: UTF8.self)
        .replacing("{\(index)}", with: "\(step["from"] as? Int ?? 1)")
      return steps(of: (try? JSONSerialization.jsonObject(with: Data(round.utf8))) as? [String: Any] ?? [:])
    }
  }

  /// Returns the number of sequences of at most `length` steps.
  func count(upTo length: Int) -> Int {
    var sum = 0
    for _ in 0..<length {
      let (product, isTooLarge) = (sum + 1).multipliedReportingOverflow(by: vocabulary.count)
      if isTooLarge { return Int.max }
      sum = product
    }
    return sum
  }

  /// Returns all sequences of at most `length` steps.
  func sequences(upTo length: Int) -> some Sequence<[Int]> {
    sequence(state: [Int]()) { [count = vocabulary.count] (last: inout [Int]) -> [Int]? in
      var index = last.count - 1
      while index >= 0, last[index] == count - 1 { index -= 1 }
      if index < 0 {
        last = Array(repeating: 0, count: last.count + 1)
      } else {
        last.replaceSubrange(index..., with: [last[index] + 1] + Array(repeating: 0, count: last.count - index - 1))
      }
      return count == 0 || last.count > length ? nil : last
    }
  }

  /// Returns the steps in their JSON form, one per line.
  func lines(_ sequence: [Int]) -> [String] { steps(sequence).map { String(decoding: Self.json($0), as: UTF8.self) } }

  /// Returns a file with these steps. The file's scenario is nil if the combination is invalid.
  func file(_ sequence: [Int]) -> ScenarioFile {
    let text = Self.json(members.merging(["steps": steps(sequence)]) { $1 })
    return ScenarioFile(SourceText(path: path, bytes: Array(text)), vocabulary: .shipped)
  }

  private func steps(_ sequence: [Int]) -> [[String: Any]] {
    sequence.map { vocabulary[$0].merging(["at": "0ms"]) { $1 } }
  }

  private static func json(_ object: [String: Any]) -> Data {
    (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])) ?? Data()
  }
}
