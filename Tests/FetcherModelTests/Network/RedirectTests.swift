import EventBus
import Foundation
import ModelFixtures
import OriginServer
import SocketStrategy
import TestMachine
import Testing

@testable import FetcherModel

/// The request that follows a redirect.
@Suite struct RedirectRequestTests {
  private static let credentials = ["Authorization", "cookie", "PROXY-Authorization", "Host"]
  private static let content = ["Content-Type", "content-length", "Content-Encoding", "Expect"]

  private func request(_ method: String, to address: String = "http://localhost/a") throws -> NetworkRequest {
    NetworkRequest(
      url: try #require(URL(string: address)), method: method,
      headers: HTTPHeaders((Self.credentials + Self.content + ["X"]).map { (name: $0, value: "x") }),
      body: Data("abc".utf8),
      pool: "x")
  }

  @Test(
    "A redirect keeps all header fields on the same server, and only those of the body on another",
    arguments: [
      ("http://localhost/a", "http://localhost/b", true), ("http://localhost/a", "HTTP://LOCALHOST:80/b", true),
      ("https://h/a", "https://h:443/b", true), ("http://localhost/a", "http://localhost:81/b", false),
      ("http://localhost/a", "https://localhost/b", false), ("https://h/a", "http://h/b", false),
      ("https://h/a", "https://h.evil/b", false), ("https://a/", "https://b/", false),
      ("http://caf%C3%A9/", "http://cafe%CC%81/", false), ("http://h:80/", "https://h:80/", false),
    ])
  func credentials(from address: String, to target: String, isKept: Bool) throws {
    let next = try request("GET", to: address).redirected(to: #require(URL(string: target)), status: 302)
    #expect(next.headers.map(\.name) == (isKept ? Self.credentials + Self.content + ["X"] : Self.content))
    #expect(next.url.absoluteString == target)
  }

  @Test("A redirect without a body to another server keeps only the fields that describe the wanted response")
  func withoutBody() throws {
    var request = try request("GET")
    request.body = nil
    let open = ["Accept", "Accept-Charset", "accept-encoding", "Accept-Language", "Range", "User-Agent"]
    request.headers += (open + ["Accept-Token"]).map { (name: $0, value: "x") }
    let next = request.redirected(to: try #require(URL(string: "http://h/b")), status: 302)
    #expect(next.headers.map(\.name) == open)
  }

  @Test("A redirect to another server drops the user and password of the target's URL")
  func targetWithUser() throws {
    let next = try request("GET", to: "http://me:pw@h/a").redirected(
      to: #require(URL(string: "http://evil:pw@h:81/b?c#d")), status: 302)
    #expect(next.url.absoluteString == "http://h:81/b?c#d")
    let same = try request("GET", to: "http://h/a").redirected(
      to: #require(URL(string: "http://me:pw@h/b")), status: 302)
    #expect(same.url.absoluteString == "http://me:pw@h/b")
  }

  @Test(
    "The status of a redirect determines whether the method and the body are kept",
    arguments: [
      ("POST", [301, 302, 303], "GET"), ("POST", [305, 306, 307, 308], "POST"), ("PUT", [303], "GET"),
      ("PUT", [301, 302, 307, 308], "PUT"), ("HEAD", [301, 302, 303, 307, 308], "HEAD"),
    ])
  func methods(method: String, statuses: [Int], followed: String) throws {
    let target = try #require(URL(string: "http://localhost/b"))
    for status in statuses {
      let request = try request(method)
      let next = request.redirected(to: target, status: status)
      #expect(next.method == followed)
      #expect(next.body == (followed == method ? request.body : nil))
      #expect(next.headers.map(\.name) == Self.credentials + (followed == method ? Self.content : []) + ["X"])
    }
  }

  @Test(
    "A Location is resolved against the URL of its request",
    arguments: [
      ("c", "http://h/a/c"), ("../c?d", "http://h/c?d"), ("/c#e", "http://h/c#e"), ("//i/c", "http://i/c"),
      ("?d", "http://h/a/b?d"), ("https://i:1/", "https://i:1/"), ("a b", "http://h/a/a%20b"),
    ])
  func targets(location: String, target: String) throws {
    let request = NetworkRequest(url: try #require(URL(string: "http://h/a/b?q")), pool: "x")
    #expect(request.target(of: location)?.absoluteString == target)
  }
}

extension NetworkSuite {
  /// Redirects over a real socket.
  @Suite struct RedirectTests {
    /// The tasks that see redirects.
    enum Kind: String, CaseIterable, Sendable {
      case data, download, socket

      func start(_ request: NetworkRequest, _ listener: TaskListener) {
        listener.start { delegate in
          switch self {
          case .data: SystemLoader.shared.dataTask(request, delegate: delegate)
          case .download: SystemLoader.shared.downloadTask(request, delegate: delegate)
          case .socket: SocketLoader.shared.socketTask(request, delegate: delegate)
          }
        }
      }

      func load(_ request: NetworkRequest) async -> TaskListener.Ending {
        let listener = TaskListener()
        start(request, listener)
        return await listener.ending()
      }
    }

    private static func moved(_ status: Int, _ location: String, _ body: OriginBody = .bytes(5000)) -> OriginResponse {
      OriginResponse(status: status, headers: [("Location", location)], body: body, chunked: true)
    }

    private static let chain = [
      OriginRoute(path: "/1", moved(301, "2")), OriginRoute(path: "/2", moved(307, "/3#part")),
      OriginRoute(path: "/3", moved(303, "a.png", .empty)),
    ]

    @Test("The delegate receives only the last response of a redirect chain", arguments: Kind.allCases)
    func chain(kind: Kind) async throws {
      let workbench = try Workbench("dataTask", Self.chain)
      let url = try #require(URL(string: workbench.address("/1")))
      let listener = TaskListener()
      kind.start(NetworkRequest(url: url, pool: "redirects"), listener)
      let ending = await listener.ending()
      #expect(ending.statuses == [200])
      #expect(ending.body == Sample.png.bytes)
      #expect(ending.error == nil)
      #expect(workbench.origin.counters.requests == 4)
      #expect(listener.count == 1)
      try await Workbench.noTemporaryFiles()
    }

    @Test("A cancel at any redirect of a chain ends the task once", arguments: Kind.allCases, 1...3)
    func cancelled(kind: Kind, hop: Int) async throws {
      let workbench = try Workbench("dataTask", Self.chain)
      let url = try #require(URL(string: workbench.address("/1")))
      for _ in 0..<LongTests.times(8, long: 100) {
        let hops = Locked(0)
        let hasStarted = DispatchSemaphore(value: 0)
        let listener = TaskListener(atRedirect: { listener in
          // Wait until the listener has its handle.
          hasStarted.wait()
          hasStarted.signal()
          let isTime = hops.withLock { hops in
            hops += 1
            return hops == hop
          }
          if isTime { listener.cancel() }
        })
        kind.start(NetworkRequest(url: url, pool: "redirects"), listener)
        hasStarted.signal()
        let ending = await listener.ending()
        #expect(ending.error == .cancelled)
        #expect(ending.statuses == [] && ending.body.isEmpty)
        #expect(hops.withLock { $0 } == hop)
        // After another load in the same session, no callback of the cancelled task is pending.
        #expect(await kind.load(NetworkRequest(url: url, pool: "redirects")).body == Sample.png.bytes)
        #expect(listener.count == 1)
      }
      try await Workbench.noTemporaryFiles()
    }

    @Test(
      "A redirect to another server drops credentials, and a GET drops the body's type", arguments: Kind.allCases,
      [303, 307])
    func otherServer(kind: Kind, status: Int) async throws {
      let catcher = try RequestCatcher()
      let workbench = try Workbench("dataTask", [OriginRoute(path: "/x", Self.moved(status, catcher.address))])
      let secrets = ["Authorization", "Proxy-Authorization", "Cookie", "X-Token"]
      let request = NetworkRequest(
        url: try #require(URL(string: workbench.address("/x"))), method: "POST",
        headers: HTTPHeaders((secrets + ["Content-Type", "Accept"]).map { (name: $0, value: "S3CRET") }),
        body: Data("abc".utf8),
        pool: "redirects")
      async let caught = catcher.request()
      _ = await kind.load(request)
      let (head, body) = await caught
      #expect(head.first == (status == 307 ? "POST" : "GET") + " /upload HTTP/1.1")
      let names = head.dropFirst().map { $0.prefix { $0 != ":" }.lowercased() }
      #expect(!secrets.contains { names.contains($0.lowercased()) }, "\(head)")
      #expect(names.contains("accept"))
      #expect(names.contains("content-type") == (status == 307))
      #expect(body == Data((status == 307 ? "abc" : "").utf8))
    }
  }
}
