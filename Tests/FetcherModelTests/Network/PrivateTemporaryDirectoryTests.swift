import EventBus
import FetcherModel
import Foundation
import TestMachine
import Testing

/// Each test in a process of its own, as a process has one directory for good.
@Suite(.childProcesses) struct PrivateTemporaryDirectoryTests {
  @Test("The directory is open to its user alone, whatever the mask")
  func permissions() async {
    await #expect(processExitsWith: .success) {
      umask(0)
      let directory = try #require(PrivateTemporaryDirectory.install())
      let permissions = {
        try FileManager.default.attributesOfItem(atPath: directory.path)[.posixPermissions] as? Int
      }
      #expect(try permissions() == 0o700)
      #expect(ProcessInfo.processInfo.environment["TMPDIR"] == directory.path)
      let image = IFImage(name: "a", url: "http://127.0.0.1:1/a", in: try FetchEnvironment(strategy: "downloadTask"))
      _ = try? await image.load()
      #expect(try permissions() == 0o700)
      PrivateTemporaryDirectory.remove()
      #expect(!FileManager.default.fileExists(atPath: directory.path))
    }
  }

  @Test("A killed process's directory is removed, a locked one stays")
  func stale() async {
    await #expect(processExitsWith: .success) {
      let parent = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      let names = ["fetcher-1-killed", "fetcher-1-killed.removed", "fetcher-1-living", "fetcher-mine"]
      for name in names {
        try FileManager.default.createDirectory(at: parent.appending(path: name), withIntermediateDirectories: true)
      }
      try Data("half".utf8).write(to: parent.appending(path: "fetcher-1-killed/CFNetworkDownload.tmp"))
      let living = open(parent.appending(path: "fetcher-1-living").path, O_RDONLY | O_CLOEXEC)
      #expect(flock(living, LOCK_EX) == 0)
      setenv("TMPDIR", parent.path, 1)
      let directory = try #require(PrivateTemporaryDirectory.install())
      let left = try FileManager.default.contentsOfDirectory(atPath: parent.path)
      #expect(Set(left) == ["fetcher-1-living", "fetcher-mine", directory.lastPathComponent])
      try FileManager.default.removeItem(at: parent)
    }
  }

  @Test("Downloads that still create files cannot keep the directory")
  func removalDuringDownloads() async {
    await #expect(processExitsWith: .success) {
      let directory = try #require(PrivateTemporaryDirectory.install())
      let parent = directory.deletingLastPathComponent().path
      let isOver = Locked(false)
      await onThreads(5) { number in
        if number == 0 {
          PrivateTemporaryDirectory.remove()
          isOver.withLock { $0 = true }
        }
        var file = 0
        while !isOver.withLock({ $0 }) {
          file += 1
          close(open(directory.path + "/\(number)-\(file).tmp", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        }
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: parent)
      #expect(names.filter { $0.contains(directory.lastPathComponent) } == [])
    }
  }

  @Test("Concurrent installs share one directory and leave no other")
  func atOnce() async {
    await #expect(processExitsWith: .success) {
      let parent = FileManager.default.temporaryDirectory.path
      let found = Locked<Set<URL?>>([])
      await onThreads(16) { _ in
        let url = PrivateTemporaryDirectory.install()
        _ = found.withLock { $0.insert(url) }
      }
      #expect(found.withLock { $0.count } == 1)
      let prefix = "fetcher-\(ProcessInfo.processInfo.processIdentifier)-"
      let names = try FileManager.default.contentsOfDirectory(atPath: parent)
      #expect(names.filter { $0.hasPrefix(prefix) }.count == 1)
      PrivateTemporaryDirectory.remove()
    }
  }
}
