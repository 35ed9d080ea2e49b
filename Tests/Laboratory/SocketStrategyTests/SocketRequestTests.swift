import FetcherModel
import Foundation
import PlainText
import Testing

@testable import SocketStrategy

/// The bytes of a request and the endpoint that receives them.
@Suite struct SocketRequestTests {
  private func request(_ address: String, headers: HTTPHeaders = [:]) throws -> NetworkRequest {
    NetworkRequest(
      url: try #require(URL(string: address)), headers: headers, pool: "x")
  }

  private func lines(_ request: NetworkRequest) throws -> [String] {
    let endpoint = try #require(Endpoint(request.url, pool: "x"))
    return String(decoding: request.bytes(for: endpoint), as: UTF8.self).components(separatedBy: "\r\n")
  }

  @Test(
    "The request line contains the path and query as they are written",
    arguments: [
      ("http://localhost", "/"), ("http://localhost/", "/"), ("http://localhost?a", "/?a"),
      ("http://localhost/a%20b/%2F?q=%41&r=a+b#part", "/a%20b/%2F?q=%41&r=a+b"), ("http://localhost/a/", "/a/"),
      ("http://localhost/caf%C3%A9", "/caf%C3%A9"), ("http://localhost/cafe%CC%81", "/cafe%CC%81"),
    ])
  func target(address: String, target: String) throws {
    #expect(try lines(request(address)).first == "GET \(target) HTTP/1.1")
  }

  @Test(
    "The request line omits dot segments from the path, as curl does",
    arguments: [
      ("/a/../b", "/b"), ("/a/./b", "/a/b"), ("/../b", "/b"), ("/a/..", "/"), ("/a/.", "/a/"), ("/a/b/../..", "/"),
      ("/..", "/"), ("/.", "/"), ("/a//../b", "/a/b"), ("//a/../b", "//b"), ("/a/..//b", "//b"), ("/...", "/..."),
      ("/a/..b", "/a/..b"), ("/..a/b", "/..a/b"), ("/a/b/c/./../../g", "/a/g"), ("/a;p/../b", "/b"),
      ("/a/../b?x=/../y", "/b?x=/../y"), ("?/../x", "/?/../x"), ("/a/%2e%2e/b", "/a/%2e%2e/b"),
    ])
  func dots(written: String, target: String) throws {
    #expect(try lines(request("http://localhost" + written)).first == "GET \(target) HTTP/1.1")
  }

  @Test(
    "The Host field has a port unless it is 80, and brackets around an IPv6 address",
    arguments: [
      ("http://LocalHost/a", "localhost", 80, "localhost"),
      ("HTTP://127.0.0.1:8080/", "127.0.0.1", 8080, "127.0.0.1:8080"),
      ("http://[::1]/", "::1", 80, "[::1]"), ("http://[::1]:81/", "::1", 81, "[::1]:81"),
      ("http://me:secret@localhost/", "localhost", 80, "localhost"),
    ])
  func host(address: String, host: String, port: UInt16, field: String) throws {
    let endpoint = try #require(Endpoint(request(address).url, pool: "x"))
    #expect(endpoint.host == UTF8String(host))
    #expect(endpoint.port == port)
    #expect(try lines(request(address)).contains("Host: \(field)"))
  }

  @Test(
    "Only a plain http URL with a valid port has an endpoint",
    arguments: [
      "https://localhost/", "file:///a", "data:,a", "http:///a", "http://localhost:65536/",
      "http://localhost:99999999999999999999/",
    ])
  func others(address: String) throws {
    let url = try #require(URL(string: address))
    #expect(Endpoint(url, pool: "x") == nil)
  }

  @Test("A body has its own length, and no header field adds framing or another line")
  func frame() throws {
    var post = try request(
      "http://localhost/",
      headers: ["Content-Length": "9", "Transfer-Encoding": "chunked", "Host": "a", "X": "a\r\nY: b"])
    post.method = "POST"
    post.body = Data("abc".utf8)
    let lines = try lines(post)
    #expect(lines.filter { $0.lowercased().hasPrefix("content-length:") } == ["Content-Length: 3"])
    #expect(!lines.contains { $0.hasPrefix("Transfer-Encoding") || $0.hasPrefix("Y:") || $0 == "Host: a" })
    #expect(lines.suffix(2) == ["", "abc"])
  }

  @Test("A request asks for an uncompressed body unless it specifies an encoding")
  func encoding() throws {
    #expect(try lines(request("http://localhost/")).contains("Accept-Encoding: identity"))
    let own = try lines(request("http://localhost/", headers: ["accept-encoding": "br"]))
    #expect(own.filter { $0.lowercased().hasPrefix("accept-encoding") } == ["accept-encoding: br"])
  }
}
