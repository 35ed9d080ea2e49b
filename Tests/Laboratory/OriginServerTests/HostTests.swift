import OriginServer
import TestMachine
import Testing

/// A page of another site can resolve its host name to this machine. The Host field identifies its requests.
@Suite(.blocking, .timeLimit(.minutes(10))) struct HostTests {
  private let content = OriginContent(fallback: OriginResponse(body: .text("answer")))

  private func statuses(_ server: OriginServer, hosts: [String]) throws -> [Int] {
    try hosts.map { host in
      let client = try Client(server.port)
      client.send("GET / HTTP/1.1\r\nHost:\(host)\r\n\r\n")
      return try client.readResponse().head.status
    }
  }

  @Test("The server answers requests to every loopback name, with any port")
  func loopback() throws {
    let hosts = [
      "localhost", " LOCALHOST:80 ", "localhost:", "127.0.0.1", "127.0.0.1:65535", "127.255.1.254", "[::1]",
      "[::1]:8080", "elsewhere.localhost:80",
    ]
    let server = try OriginServer(content: content)
    #expect(try statuses(server, hosts: hosts) == hosts.map { _ in 200 })
  }

  @Test(
    "The server rejects any other host name as misdirected",
    arguments: [
      "evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil.example",
      "127.1",
      "127.0.0.256", "127.0.0.-1", "127.0.0.1.", "128.0.0.1", "0.0.0.0", "[::2]", "[::1", "[::1]x", "::1",
      "localhost:80:80",
      "localhost:x", "user@localhost", "localhost,evil.example", "", "xlocalhost", ".localhost",
      "a.localhost.evil.example", "localhos\u{442}",
    ])
  func others(host: String) throws {
    let server = try OriginServer(content: content)
    let client = try Client(server.port)
    client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let (head, body) = try client.readResponse()
    #expect(head.status == 421)
    #expect(
      String(decoding: body, as: UTF8.self)
        == "421 Misdirected Request: this server accepts the host names localhost, 127.0.0.0/8 and [::1], with any "
        + "port\n"
    )
    #expect(client.readToEnd() == ([], .closed))
    #expect(server.counters.requests == 0)
    #expect(server.counters.malformed == 1)
  }

  @Test("A server that refuses browsers gives them neither a response nor a place in the list of responses")
  func browsers() throws {
    let route = OriginRoute(path: "/a", responses: [OriginResponse(status: 503), OriginResponse(body: .text("a"))])
    var policy = OriginPolicy()
    policy.refusesBrowsers = true
    let server = try OriginServer(content: OriginContent(routes: [route]), policy: policy)
    let status = { (field: String) in
      let client = try Client(server.port)
      client.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n")
      return try client.readResponse().head.status
    }
    for site in ["cross-site", "same-origin", "none"] { #expect(try status("sec-fetch-site: \(site)\r\n") == 403) }
    // The handshake of a WebSocket has other fields than the rest of a page's requests.
    #expect(try status("Upgrade: websocket\r\nConnection: Upgrade\r\n") == 403)
    #expect(try status("Origin: http://evil.example\r\n") == 403)
    #expect(try status("") == 503 && status("") == 200)
    #expect(server.counters.requests == 2)
  }

  @Test("The host in an absolute target takes precedence over the Host field")
  func wholeAddress() throws {
    let server = try OriginServer(content: content)
    let status = { (target: String, host: String) in
      let client = try Client(server.port)
      client.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      return try client.readResponse().head.status
    }
    #expect(try status("http://evil.example/", "localhost") == 421)
    #expect(try status("http://localhost:8080/", "evil.example") == 200)
  }

  @Test("An HTTP/1.0 client does not need to send a host")
  func none() throws {
    let server = try OriginServer(content: content)
    let client = try Client(server.port)
    client.send("GET / HTTP/1.0\r\n\r\n")
    #expect(try client.readResponse().head.status == 200)
  }
}
