import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import TestMachine
import Testing

/// Each test runs in a separate process, because a process keeps one directory until it exits.
@Suite(.childProcesses) struct PrivateTemporaryDirectoryTests {
  @Test("Only the user can access the directory, whatever the umask")
  func permissions() async {
    await #expect(processExitsWith: .success) {
      umask(0)
      PrivateTemporaryDirectory.install()
      let directory = try #require(PrivateTemporaryDirectory.url)
      let permissions = {
        try FileManager.default.attributesOfItem(atPath: directory.path)[.posixPermissions] as? Int
      }
      #expect(try permissions() == 0o700)
      #expect(ProcessInfo.processInfo.environment["TMPDIR"] == directory.path)
      let image = IFImage(name: "a", url: "http://127.0.0.1:1/a", in: FetchEnvironment(strategy: .downloadTask))
      _ = try? await image.load()
      #expect(try permissions() == 0o700)
      PrivateTemporaryDirectory.remove()
      #expect(!FileManager.default.fileExists(atPath: directory.path))
    }
  }

  @Test("An install removes the directory of a killed process and keeps a locked one")
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
      PrivateTemporaryDirectory.install()
      let directory = try #require(PrivateTemporaryDirectory.url)
      let left = try FileManager.default.contentsOfDirectory(atPath: parent.path)
      #expect(Set(left) == ["fetcher-1-living", "fetcher-mine", directory.lastPathComponent])
      try FileManager.default.removeItem(at: parent)
    }
  }

  @Test("Downloads that still create files cannot prevent the removal of the directory")
  func removalDuringDownloads() async {
    await #expect(processExitsWith: .success) {
      PrivateTemporaryDirectory.install()
      let directory = try #require(PrivateTemporaryDirectory.url)
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

  @Test("Concurrent installs create exactly one directory")
  func atOnce() async {
    await #expect(processExitsWith: .success) {
      let parent = FileManager.default.temporaryDirectory.path
      let found = Locked<Set<URL?>>([])
      await onThreads(16) { _ in
        let url = PrivateTemporaryDirectory.create()
        _ = found.withLock { $0.insert(url) }
      }
      #expect(found.withLock { $0.count } == 1)
      let prefix = "fetcher-\(ProcessInfo.processInfo.processIdentifier)-"
      let names = try FileManager.default.contentsOfDirectory(atPath: parent)
      #expect(names.filter { $0.hasPrefix(prefix) }.count == 1)
      PrivateTemporaryDirectory.remove()
    }
  }

  @Test(
    "A download sends no request if the temporary folder cannot store its file",
    arguments: [
      ("/nowhere", Int32.max, -3000), ("/proc", .max, -3000), ("/tmp", 1000, -3003), ("/tmp", 64 << 20, -3003),
      ("/tmp", 68 << 20, 0),
    ])
  func refused(folder: String, largestFile: Int32, code: Int) async {
    await #expect(processExitsWith: .success) { [folder, largestFile, code] in
      signal(SIGXFSZ, SIG_IGN)
      setenv("TMPDIR", folder, 1)
      var limits = rlimit(rlim_cur: numericCast(largestFile), rlim_max: numericCast(largestFile))
      #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
      #else
        setrlimit(RLIMIT_FSIZE, &limits)
      #endif
      let origin = try OriginServer(
        content: OriginContent(routes: [OriginRoute(path: "/a", OriginResponse(body: .data(Sample.png.bytes)))]))
      let image = IFImage(name: "a", url: "\(origin.baseURL)a", in: FetchEnvironment(strategy: .downloadTask))
      guard code < 0 else { return #expect(try await image.load().bytes == Sample.png.bytes) }
      let error = await #expect(throws: FetchError.self) { try await image.load() }
      #expect(error == .transport(NetworkError(code: code)))
      #expect(error?.description.contains(" temporary folder “\(folder)”") == true)
      #expect(error?.isWorthRetrying == false)
      #expect(origin.counters.requests == 0)
    }
  }

  @Test("The next download recreates a temporary folder that was deleted")
  func cleaned() async {
    await #expect(processExitsWith: .success) {
      PrivateTemporaryDirectory.install()
      let directory = try #require(PrivateTemporaryDirectory.url)
      let origin = try OriginServer(
        content: OriginContent(routes: [
          OriginRoute(path: "/a", OriginResponse(body: .data(Sample.png.bytes))),
          OriginRoute(path: "/stalled", OriginResponse(body: .bytes(100), fault: .stall(after: 10))),
        ]))
      let environment = FetchEnvironment(strategy: .downloadTask)
      let stalled = IFImage(name: "stalled", url: "\(origin.baseURL)stalled", in: environment)
      _ = stalled.image
      // Foundation opens the file when the first bytes arrive, and traps if the folder is missing then.
      await wait(environment) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.contains { name in
          let file = directory.appendingPathComponent(name).path
          return (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) == 10
        }
      }
      try FileManager.default.removeItem(at: directory)
      #expect(try await IFImage(name: "a", url: "\(origin.baseURL)a", in: environment).load().bytes == Sample.png.bytes)
      // Another process would remove an unlocked directory.
      #expect(flock(open(directory.path, O_RDONLY | O_CLOEXEC), LOCK_EX | LOCK_NB) == -1)
      // The stalled download continues until the process exits. Foundation would trap at the end of the download,
      // because its file is gone.
      PrivateTemporaryDirectory.remove()
    }
  }
}
