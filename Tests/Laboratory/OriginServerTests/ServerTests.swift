import Dispatch
import Foundation
import OriginServer
import Synchronization
import TestMachine
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.childProcesses, .timeLimit(.minutes(10)), .serialized) struct ServerTests {
  @Test("Starting a server on a port in use fails with an error that names the port")
  func aBusyPortIsAnErrorThatNamesIt() throws {
    let server = try OriginServer(content: OriginContent())
    let port = server.port
    #expect(throws: OriginError.portInUse(port)) { try OriginServer(port: port, content: OriginContent()) }
    #expect(OriginError.portInUse(80).description.contains("80"))
  }

  @Test("The base URL contains the port")
  func theAddressNamesThePort() throws {
    let server = try OriginServer(content: OriginContent())
    #expect(server.port != 0)
    #expect(server.baseURL.absoluteString == "http://127.0.0.1:\(server.port)/")
  }

  @Test("The counters record the bytes per path and the service time, which includes the latency")
  func recordsService() throws {
    let late = OriginRoute(path: "/late", OriginResponse(body: .bytes(1000), latency: .milliseconds(20)))
    let server = try OriginServer(content: OriginContent(routes: [late]))
    let client = try Client(server.port)
    client.get("/late")
    client.get("/other")
    #expect(server.wait { $0.answers == 2 })
    let counters = server.counters
    #expect(counters.serviceTime >= .milliseconds(20))
    #expect((counters.bytesSentByPath["/late"] ?? 0) > 1000)
    #expect(counters.bytesSentByPath.values.reduce(0, +) == counters.bytesSent)
    server.resetCounters()
    #expect(server.counters.serviceTime == .zero)
  }

  @Test("A refusing server keeps its port and its clients, and can resume")
  func refusing() throws {
    let server = try OriginServer(content: OriginContent())
    let early = try Client(server.port)
    #expect(server.wait { $0.open == 1 })
    for _ in 0..<3 {
      try server.setRefusing(true)
      try server.setRefusing(true)
      #expect(throws: Client.Failure.self) { try Client(server.port) }
      #if os(Linux)
        #expect(throws: OriginError.portInUse(server.port)) {
          try OriginServer(port: server.port, content: OriginContent())
        }
      #endif
      early.get("/")
      #expect(try early.readResponse().head.status == 404)
      try server.setRefusing(false)
      try server.setRefusing(false)
      let late = try Client(server.port)
      late.get("/")
      #expect(try late.readResponse().head.status == 404)
    }
  }

  // On Darwin, a copy of a listening socket also listens until it is closed.
  #if os(Linux)
    @Test("A server refuses and stops immediately even if its socket was duplicated")
    func copiedSocket() throws {
      // One port that the system chose and one that was requested, because the server keeps them differently.
      var port: UInt16 = 0
      for _ in 0..<2 {
        let server = try OriginServer(port: port, content: OriginContent())
        port = server.port
        let copy = dup(try #require(listeningDescriptor(at: port)))
        defer { close(copy) }
        try server.setRefusing(true)
        #expect(throws: Client.Failure.self) { try Client(port) }
        try server.setRefusing(false)
        let next = dup(try #require(listeningDescriptor(at: port)))
        defer { close(next) }
        let client = try Client(port)
        client.get("/")
        #expect(try client.readResponse().head.status == 404)
        server.stop()
        #expect(throws: Client.Failure.self) { try Client(port) }
      }
    }

    /// Returns the descriptor of this process that listens on the port.
    private func listeningDescriptor(at port: UInt16) -> Int32? {
      (0..<Int32(getdtablesize())).first { descriptor in
        var (isListening, optionSize) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &optionSize) == 0, isListening != 0 else {
          return false
        }
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let result = withUnsafeMutablePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return result == 0 && UInt16(bigEndian: address.sin_port) == port
      }
    }
  #endif

  /// Returns whether the port of a server is free after its stop. Another test's server may take the port in between,
  /// so this method tries several times.
  private func isPortFree(
    _ content: OriginContent = OriginContent(), afterStopping stop: (OriginServer) throws -> Void
  ) throws -> Bool {
    try (0..<20).contains { _ in
      let server = try OriginServer(content: content)
      try stop(server)
      let next = try? OriginServer(port: server.port, content: OriginContent())
      next?.stop()
      return next != nil
    }
  }

  @Test("Stopping a server while it refuses frees its port")
  func stoppedWhileRefusing() throws {
    let isFree = try isPortFree { server in
      try server.setRefusing(true)
      server.stop()
      try server.setRefusing(false)
    }
    #expect(isFree)
  }

  @Test("A stop closes every connection and frees the port")
  func stoppingClosesEveryConnectionAndThePort() throws {
    let routes = [
      OriginRoute(path: "/late", OriginResponse(latency: .seconds(3600))),
      OriginRoute(path: "/stall", OriginResponse(body: .bytes(10), fault: .stall(after: 1))),
      OriginRoute(path: "/drip", OriginResponse(body: .bytes(10), fault: .drip(every: .seconds(3600)))),
      OriginRoute(path: "/large", OriginResponse(body: .bytes(1_000_000_000))),
    ]
    let isFree = try isPortFree(OriginContent(routes: routes)) { server in
      let clients = try (routes.map(\.path) + ["idle"]).map { path in
        let client = try Client(server.port)
        if path != "idle" { client.get(path) }
        return client
      }
      #expect(server.wait { $0.requests == 4 && $0.open == 5 })
      server.stop()
      #expect(server.counters.open == 0)
      server.stop()
      for client in clients { #expect(client.readToEnd().end != .timedOut) }
    }
    #expect(isFree)
  }

  @Test("Releasing a server stops it")
  func aReleasedServerIsStopped() throws {
    var server: OriginServer? = try OriginServer(content: OriginContent())
    let port = server!.port
    let client = try Client(port)
    server = nil
    #expect(client.readToEnd().end != .timedOut)
    #expect(throws: Client.Failure.self) { try Client(port) }
  }

  @Test("The server serves 64 connections at once")
  func sixtyFourConnectionsAreServedAtOnce() throws {
    let route = OriginRoute(path: "/n", OriginResponse(body: .bytes(10_000)))
    let server = try OriginServer(content: OriginContent(routes: [route]))
    let expected = Array(OriginBody.pattern(10_000))
    let good = Atomic(0)
    let done = DispatchGroup()
    for number in 0..<64 {
      // Use dedicated queues, because blocking work would starve a shared pool.
      DispatchQueue(label: "client.\(number)").async(group: done) {
        guard let client = try? Client(server.port) else { return }
        for _ in 0..<20 {
          client.get("/n")
          guard let body = try? client.readResponse().body, body == expected else { return }
          good.add(1, ordering: .relaxed)
        }
      }
    }
    done.wait()
    #expect(good.load(ordering: .relaxed) == 64 * 20)
    #expect(server.counters.connections == 64)
    #expect(server.counters.requests == 64 * 20)
  }

  /// Runs in a separate process, because the lookups disturb every event source of the process.
  @Test("The server answers every client while the process looks up host names")
  func lookingUpNames() async {
    await #expect(processExitsWith: .success) {
      let configuration = URLSessionConfiguration.ephemeral
      let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: OperationQueue())
      // The label is too long for a DNS query, so the lookup fails at once and needs no network.
      let unknown = URL(string: "http://\(String(repeating: "nowhere", count: 10)).invalid/")!
      for number in 0..<2 {
        DispatchQueue(label: "lookup.\(number)").async {
          while true {
            let done = DispatchSemaphore(value: 0)
            session.dataTask(with: unknown) { _, _, _ in done.signal() }.resume()
            done.wait()
          }
        }
      }
      for _ in 0..<20 {
        let server = try OriginServer(content: OriginContent(fallback: OriginResponse(body: .bytes(10))))
        for _ in 0..<50 {
          let client = try Client(server.port)
          client.get("/")
          #expect(try client.readResponse().body.count == 10)
        }
      }
    }
  }

  /// Runs in a separate process, so that the count includes no threads of other tests.
  @Test("Hundreds of idle connections do not cost a thread each")
  func hundredsOfIdleConnectionsCostNoThreadEach() async {
    await #expect(processExitsWith: .success) {
      let route = OriginRoute(path: "/late", OriginResponse(latency: .milliseconds(100)))
      let server = try OriginServer(content: OriginContent(routes: [route]))
      let clients = try (0..<400).map { _ in try Client(server.port) }
      for client in clients { client.get("/late") }
      #expect(server.wait { $0.requests == 400 })
      #if os(Linux)
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        #expect(threads < 100)
      #endif
      for client in clients { #expect(try client.readResponse().head.status == 200) }
    }
  }

  #if os(Linux)
    /// Identifies sockets by inode, because other tests open descriptors meanwhile.
    @Test("A stopped server leaves no descriptor open")
    func noDescriptorOfAServerStaysOpen() throws {
      let mine = try withServersOfManyEnds()
      let tcp = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8).split(separator: "\n").dropFirst()
      let held = try heldInodes()
      let left = tcp.filter { line in
        let fields = line.split(separator: " ")
        guard fields.count > 9, let port = UInt16(fields[1].suffix(4), radix: 16), mine.contains(port) else {
          return false
        }
        return held.contains(String(fields[9]))
      }
      #expect(left.isEmpty)
    }

    private func withServersOfManyEnds() throws -> Set<UInt16> {
      var ports: Set<UInt16> = []
      for fault in [nil, OriginFault.closeBeforeHeaders, .reset(after: 1), .stall(after: 1), .slowClose, .garbage] {
        let route = OriginRoute(path: "/", OriginResponse(body: .bytes(100), fault: fault))
        let server = try OriginServer(content: OriginContent(routes: [route]))
        ports.insert(server.port)
        for _ in 0..<10 {
          let client = try Client(server.port)
          client.get("/")
          _ = try? client.readHead()
        }
        server.stop()
      }
      return ports
    }

    private func heldInodes() throws -> Set<String> {
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      return Set(
        names.compactMap { name in
          let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
          guard let target, target.hasPrefix("socket:[") else { return nil }
          return String(target.dropFirst(8).dropLast())
        })
    }
  #endif
}
