import Dispatch
import Foundation
import OriginServer
import TestMachine
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Each test runs in a separate process, because it exhausts the descriptors.
@Suite(.childProcesses, .timeLimit(.minutes(10)), .serialized) struct DescriptorTests {
  @Test("A server without timers accepts clients again once descriptors are free")
  func acceptsAgain() async {
    await #expect(processExitsWith: .success) {
      let server = try OriginServer(content: OriginContent())
      let descriptors = Descriptors()
      descriptors.breakTimers()
      var starved = 0
      while starved < 3 {
        let requests = server.counters.requests
        descriptors.take(leaving: 1)
        // The client takes the last descriptor, so the server cannot accept it, unless Dispatch has just closed one.
        let client = try? Client(server.port)
        client?.giveUp(after: 1)
        client?.get("/")
        let early = client?.readToEnd().bytes
        descriptors.giveBack()
        guard let client, early == [] else { continue }
        starved += 1
        #expect(server.wait { $0.requests > requests })
        try #require(try client.readResponse().head.status == 404)
        client.shut()
        #expect(server.wait { $0.open == 0 })
      }
      server.stop()
      #expect(server.counters.open == 0)
    }
  }

  @Test("A stop returns even without free descriptors or timers")
  func stops() async {
    await #expect(processExitsWith: .success) {
      let server = try OriginServer(content: OriginContent())
      let descriptors = Descriptors()
      descriptors.breakTimers()
      descriptors.take(leaving: 1)
      let waiting = try? Client(server.port)
      waiting?.giveUp(after: 1)
      _ = waiting?.readToEnd()
      let stopped = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        server.stop()
        stopped.signal()
      }
      try #require(isSignaled(stopped))
      descriptors.giveBack()
    }
  }

  @Test("A server without a descriptor for a file responds with status 503")
  func files() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("origin-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("index.html")
      try Data("file".utf8).write(to: file)
      let scripted = OriginRoute(path: "/scripted", OriginResponse(body: .file(file)))
      let server = try OriginServer(content: OriginContent(directory: folder, routes: [scripted]))
      let client = try Client(server.port)
      let statuses = {
        try ["/index.html", "/", "/scripted", "/nothing"].map { path in
          client.get(path)
          return try client.readResponse().head.status
        }
      }
      #expect(try statuses() == [200, 200, 200, 404])
      let descriptors = Descriptors()
      // Try repeatedly, because Dispatch may close a descriptor in between.
      let isUnavailable = try (0..<10).contains { _ in
        descriptors.take(leaving: 0)
        defer { descriptors.giveBack() }
        return try statuses() == [503, 503, 503, 404]
      }
      #expect(isUnavailable)
      #expect(try statuses() == [200, 200, 200, 404])
    }
  }

  #if os(Linux)
    @Test("A delayed connection needs no descriptor besides its socket")
    func timers() async {
      await #expect(processExitsWith: .success) {
        let late = OriginRoute(path: "/late", OriginResponse(latency: .seconds(3600)))
        let server = try OriginServer(content: OriginContent(routes: [late]))
        let open = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let before = try open()
        let clients = try (0..<100).map { _ in try Client(server.port) }
        for client in clients { client.get("/late") }
        #expect(server.wait { $0.requests == 100 })
        #expect(try open() <= before + 201)
        server.stop()
      }
    }
  #endif
}

/// Returns whether the semaphore is signaled within ten seconds. Async code cannot wait for it on Apple platforms.
private func isSignaled(_ semaphore: DispatchSemaphore) -> Bool { semaphore.wait(timeout: .now() + 10) == .success }

/// An owner of all descriptors of the process except a few.
///
/// Dispatch briefly opens another descriptor now and then, because on Linux it reads the state of its threads from
/// `/proc`.
private final class Descriptors {
  private var taken: [Int32] = []

  init() {
    var limits = rlimit()
    limits.rlim_max = 128
    limits.rlim_cur = 128
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    #else
      setrlimit(RLIMIT_NOFILE, &limits)
    #endif
  }

  /// Puts the process into the state in which Dispatch could not open a descriptor for its timers, which share one on
  /// Linux.
  ///
  /// Swift Testing or the server has already opened that descriptor.
  func breakTimers() {
    #if os(Linux)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      for name in names {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
        if target == "anon_inode:[timerfd]", let descriptor = Int32(name) { dup2(0, descriptor) }
      }
    #endif
  }

  func take(leaving count: Int) {
    while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
    for _ in 0..<count { close(taken.removeLast()) }
  }

  func giveBack() {
    for descriptor in taken { close(descriptor) }
    taken = []
  }
}
