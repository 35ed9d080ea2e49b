import Foundation
import ScenarioEngine

/// The lessons that a user has solved and the hints shown so far, stored in the user's state folder.
struct LessonProgress: Sendable {
  private struct State: Codable {
    var solved: Set<String> = []
    var hints: [String: Int] = [:]
  }

  private let file: URL
  private var state: State

  /// - Parameter environment: the environment variables. `XDG_STATE_HOME` names the state folder, which defaults to
  ///   `~/.local/state`.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let given = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
    let home = FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state")
    file = (given ?? home).appending(path: "swift-fetcher-lab/lessons.json")
    let data = try? Data(contentsOf: file)
    state = data.flatMap { try? JSONDecoder().decode(State.self, from: $0) } ?? State()
  }

  func hasSolved(_ id: String) -> Bool { state.solved.contains(id) }

  var solvedCount: Int { state.solved.count }

  /// Returns the number of hints shown so far for the lesson.
  func hints(_ id: String) -> Int { state.hints[id] ?? 0 }

  /// Records that the lesson is solved.
  mutating func solve(_ id: String) throws(CommandFailure) {
    state.solved.insert(id)
    try save()
  }

  /// Records that another hint was shown.
  mutating func takeHint(_ id: String) throws(CommandFailure) {
    state.hints[id, default: 0] += 1
    try save()
  }

  /// Resets one lesson, or all lessons.
  mutating func forget(_ id: String?) throws(CommandFailure) {
    if let id {
      state.solved.remove(id)
      state.hints[id] = nil
    } else {
      state = State()
    }
    try save()
  }

  private func save() throws(CommandFailure) {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try FileWriter.shared.replace(encoder.encode(state), at: file.path)
    } catch {
      throw .failed("cannot write your progress to \(file.path): \(FileFailure.reason(error))")
    }
  }
}
