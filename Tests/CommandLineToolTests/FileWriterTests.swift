import EventBus
import Foundation
import TestMachine
import Testing

@testable import CommandLineTool

@Suite struct FileWriterTests {
  /// A folder for one test, which is removed with this value.
  private final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "writer-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

    func file(_ name: String) -> URL { url.appending(path: name) }

    func text(_ name: String) throws -> String { try String(contentsOf: file(name), encoding: .utf8) }
  }

  private let bytes = Data("new".utf8)

  @Test("Closing the writer leaves no half-written file and no temporary file", arguments: [false, true])
  func end(replacing: Bool) throws {
    let folder = try Folder()
    if replacing { try Data("old".utf8).write(to: folder.file("a")) }
    let before = folder.names
    let gate = Locked<FileWriter?>(nil)
    let writer = FileWriter(willRename: {
      #expect(folder.names.count == before.count + 1)
      gate.withLock { $0 }?.close()
      #expect(folder.names == before)
    })
    gate.withLock { $0 = writer }
    #expect(throws: POSIXError(.ECANCELED)) { try writer.write(bytes, to: folder.file("a"), replacing: replacing) }
    #expect(throws: POSIXError(.ECANCELED)) { try writer.write(bytes, to: folder.file("b"), replacing: replacing) }
    #expect(folder.names == before)
    if replacing { #expect(try folder.text("a") == "old") }
    gate.withLock { $0 = nil }
  }

  @Test("A file that appears between the write and the rename is kept")
  func collision() throws {
    let folder = try Folder()
    let writer = FileWriter(willRename: { try? Data("theirs".utf8).write(to: folder.file("a")) })
    #expect(throws: POSIXError(.EEXIST)) { try writer.write(bytes, to: folder.file("a"), replacing: false) }
    #expect(try folder.text("a") == "theirs")
    try writer.write(bytes, to: folder.file("a"), replacing: true)
    #expect(try folder.text("a") == "new")
    #expect(folder.names == ["a"])
  }

  @Test("A write removes only temporary files that no process is writing")
  func sweep() throws {
    let folder = try Folder()
    let living = ".fetcher-\(UUID().uuidString).part"
    for name in [living, ".fetcher-\(UUID().uuidString).part", ".fetcher-mine.part"] {
      try Data("half".utf8).write(to: folder.file(name))
    }
    let descriptor = open(folder.file(living).path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    try FileWriter().write(bytes, to: folder.file("a"), replacing: false)
    #expect(folder.names == [living, ".fetcher-mine.part", "a"].sorted())
  }

  @Test("A write follows a symbolic link and keeps the file's permissions")
  func links() throws {
    let folder = try Folder()
    try Data("old".utf8).write(to: folder.file("a"))
    #expect(chmod(folder.file("a").path, 0o640) == 0)
    #expect(symlink("a", folder.file("link").path) == 0)
    try FileWriter().replace(bytes, at: folder.file("link").path)
    #expect(try folder.text("a") == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link").path) == "a")
    #expect(symlink("missing", folder.file("dangling").path) == 0)
    try FileWriter().replace(bytes, at: folder.file("dangling").path)
    #expect(try folder.text("missing") == "new")
    #expect(folder.names == ["a", "dangling", "link", "missing"])
    #expect(try FileManager.default.attributesOfItem(atPath: folder.file("a").path)[.posixPermissions] as? Int == 0o640)
  }

  @Test("If many tasks write to one name, exactly one succeeds")
  func race() async throws {
    let folder = try Folder()
    let writer = FileWriter()
    let winners = await withTaskGroup { group in
      for number in 0..<20 {
        group.addTask {
          (try? writer.write(Data("\(number)".utf8), to: folder.file("a"), replacing: false)) == nil ? nil : number
        }
      }
      return await group.reduce(into: [Int]()) { $0 += $1.map { [$0] } ?? [] }
    }
    #expect(try winners.map(String.init) == [folder.text("a")])
    #expect(folder.names == ["a"])
  }
}
