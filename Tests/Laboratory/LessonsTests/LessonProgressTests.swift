import EventBus
import Foundation
import TestMachine
import Testing

@testable import Commands

/// The promises of the file that stores a learner's progress.
@Suite(.blocking) struct LessonProgressTests {
  /// A state folder of one test, with the notes that the program printed.
  private final class State: Sendable {
    let folder = FileManager.default.temporaryDirectory.appending(path: "lesson-progress-\(UUID().uuidString)")
    let notes = Locked<[String]>([])

    var path: URL { folder.appending(path: "swift-fetcher-lab/lessons.json") }

    var file: LessonProgressFile {
      LessonProgressFile(environment: ["XDG_STATE_HOME": folder.path]) { note in
        self.notes.withLock { $0.append(note) }
      }
    }

    init(_ content: Data? = nil) throws {
      guard let content else { return }
      try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  private static let damaged =
    [
      "", "{", "{\"solved\": [\"L01\"], \"hin", "[]", "{\"version\": 2}",
      "{\"solved\": [\"L01\"], \"hints\": {\"L03\": -1}}",
      "{\"solved\": [\"L01\"], \"hints\": {\"L03\": 1e30}}",
    ].map { Data($0.utf8) } + [Data([0xFF, 0xFE, 0])]

  @Test("An update keeps a damaged progress file under another name, and reports it", arguments: damaged)
  func keptAside(_ content: Data) throws {
    let state = try State(content)
    #expect(state.file.read() == LessonProgress())
    #expect(try Data(contentsOf: state.path) == content)
    for number in 1...2 {
      try content.write(to: state.path)
      try state.file.update { $0.solve("L02") }
      let kept = state.path.deletingLastPathComponent().appending(path: "lessons-damaged-\(number).json")
      #expect(try Data(contentsOf: kept) == content)
      let note = try #require(state.notes.withLock(\.last))
      #expect(note.contains(state.path.path) && note.contains(kept.path))
    }
    #expect(state.file.read().hasSolved("L02"))
    #expect(state.notes.withLock(\.count) == 3)
  }

  @Test(
    "An update renames a folder or a pipe at the path of the progress file, and reports it", arguments: [true, false])
  func otherKinds(_ isFolder: Bool) throws {
    let state = try State(Data())
    try FileManager.default.removeItem(at: state.path)
    if isFolder {
      try FileManager.default.createDirectory(at: state.path, withIntermediateDirectories: false)
    } else {
      #expect(mkfifo(state.path.path, 0o600) == 0)
    }
    #expect(state.file.read() == LessonProgress())
    try state.file.update { $0.solve("L02") }
    #expect(state.file.read().hasSolved("L02"))
    #expect(state.notes.withLock { $0.allSatisfy { $0.contains("it is not a regular file") } && $0.count == 2 })
  }

  @Test("An update without a change does not write the progress file")
  func unchanged() throws {
    let content = Data("{ \"solved\" : [\"L01\"],\n\n\"hints\" : {\"L03\": 3} }".utf8)
    let state = try State(content)
    try state.file.update { $0.solve("L01") }
    #expect(try state.file.update { $0.takeHint("L03", of: 3) } == 3)
    #expect(try Data(contentsOf: state.path) == content)
    #expect(state.notes.withLock { $0 } == [])
  }

  @Test("The progress file keeps all changes of concurrent updates")
  func concurrent() async throws {
    let state = try State()
    let rounds = 50
    await withTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          for round in 0..<rounds {
            #expect(throws: Never.self) { try state.file.update { $0.solve("L\(writer)-\(round)") } }
          }
        }
      }
    }
    #expect(state.file.read().solvedCount == 4 * rounds)
    #expect(state.notes.withLock { $0 } == [])
  }
}
