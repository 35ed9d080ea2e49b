import Foundation
import LivePages
import SeededNumbers
import TestMachine
import Testing

@testable import OriginServer

/// The promises of the section *Safety* in the README of the module.
@Suite(.blocking, .serialized, .timeLimit(.minutes(10))) final class SafetyTests {
  private let page: TestPage
  private let good: [String: String]
  private let step = #"{"at": "0ms", "do": "select", "image": "A", "view": "detail"}"#

  init() throws {
    page = try TestPage()
    good = ["X-Fetcher-Token": page.token, "Origin": "http://localhost"]
  }

  deinit { page.stop() }

  @Test("The server accepts a step with the token and the right origin") func aStepWithTokenAndOriginIsAccepted() throws
  {
    #expect(try page.request("POST", "/step", fields: good, body: step).status == 202)
  }

  @Test(
    "A request for another host name gets 421",
    arguments: ["evil.example", "evil.example:8642", "127.0.0.1.evil.example", "[::2]"])
  func otherHost(host: String) throws {
    for target in ["/", "/events?t=\(page.token)"] {
      #expect(try page.request("GET", target, host: host).status == 421)
    }
  }

  @Test("The server accepts the loopback names and addresses", arguments: ["localhost", "127.0.0.1", "[::1]"])
  func ownHost(host: String) throws {
    #expect(try page.request("GET", "/", host: "\(host):\(page.port)").status == 200)
  }

  @Test("The server also listens on the IPv6 loopback address")
  func theServerAlsoListensOnTheLoopbackAddressOfVersion6() throws {
    // A machine without IPv6 does not have this address.
    guard let client = try? PageClient(page.port, version6: true) else { return }
    try client.send("GET", "/", host: "[::1]")
    #expect(try client.response().status == 200)
  }

  @Test(
    "A request without the token gets 403, except for the fixed files",
    arguments: ["/events", "/picture/1", "/result/1", "/recording/1", "/events?t=", "/events?t=wrong", "/events?x=1"])
  func noToken(target: String) throws {
    let response = try page.request("GET", target)
    #expect(response.status == 403)
    #expect(response.text.contains("token"))
  }

  @Test(
    "A step without the token or from another origin gets 403",
    arguments: ["/step", "/session", "/record", "/strategies", "/search", "/play"])
  func foreignPost(path: String) throws {
    let token = ["X-Fetcher-Token": page.token]
    let cases: [[String: String]] = [
      [:], token, ["Origin": "http://localhost"], ["X-Fetcher-Token": "wrong", "Origin": "http://localhost"],
      token.merging(["Origin": "http://evil.example"]) { $1 }, token.merging(["Origin": "null"]) { $1 },
      token.merging(["Origin": "https://localhost"]) { $1 }, token.merging(["Origin": "http://localhost:1"]) { $1 },
    ]
    for fields in cases { #expect(try page.request("POST", path, fields: fields, body: "{}").status == 403) }
    // The token in the query does not count, because a form of another site could send it.
    let query = "\(path)?t=\(page.token)"
    #expect(try page.request("POST", query, fields: ["Origin": "http://localhost"], body: "{}").status == 403)
  }

  @Test("A request from another origin for the event stream gets 403") func aStreamThatAnotherOriginRequestsGets403()
    throws
  {
    let fields = ["Origin": "http://evil.example"]
    #expect(try page.request("GET", "/events?t=\(page.token)", fields: fields).status == 403)
  }

  @Test("An unknown path gets 404", arguments: ["/live", "/index.html", "/../etc/passwd", "/%2e%2e/x", "/picture"])
  func unknown(target: String) throws { #expect(try page.request("GET", target).status == 404) }

  @Test("An unknown picture, result or recording gets 404") func anUnknownPictureOrResultGets404() throws {
    for folder in ["picture", "result", "recording"] {
      #expect(try page.request("GET", "/\(folder)/..%2f..%2fetc%2fpasswd?t=\(page.token)").status == 404)
    }
  }

  @Test(
    "A wrong method gets 405, and the response names the right one",
    arguments: ["PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"])
  func wrongMethod(method: String) throws {
    for target in ["/", "/events", "/step"] {
      let client = try page.client()
      try client.send(method, target, fields: good)
      let (status, fields) = try client.head()
      #expect(status == 405)
      #expect(fields["allow"] == (target == "/step" ? "POST" : "GET"))
    }
    #expect(try page.request("GET", "/step").status == 405)
    #expect(try page.request("POST", "/", fields: good).status == 405)
  }

  @Test(
    "A malformed request gets 400, and the server continues",
    arguments: [
      "GET\r\n\r\n", "\u{0}\u{1}\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ])
  func malformed(text: String) throws {
    let client = try page.client()
    try client.send(Array(text.utf8))
    #expect(try client.response().status == 400)
    #expect(try page.request("GET", "/").status == 200)
  }

  @Test("A request with a large head gets 431, and one with a large body gets 413")
  func aLargeHeadGets431AndALargeBody413() throws {
    #expect(try page.request("GET", "/", fields: ["X-Long": String(repeating: "a", count: 9000)]).status == 431)
    let client = try page.client()
    try client.send(Array("POST /step HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n".utf8))
    #expect(try client.response().status == 413)
    let longest = "[" + String(repeating: " ", count: 64 * 1024 - 2) + "]"
    #expect(try page.request("POST", "/step", fields: good, body: longest).status == 202)
  }

  @Test(
    "Each response forbids everything that the page does not use", arguments: ["/", "/live.js", "/nowhere", "/events"])
  func policy(target: String) throws {
    let fields = try page.request("GET", target).fields
    let policy = try #require(fields["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'"))
    #expect(!policy.contains("unsafe") && !policy.contains("*"))
    #expect(policy.contains("frame-ancestors 'none'"))
    #expect(fields["x-content-type-options"] == "nosniff")
    #expect(fields["referrer-policy"] == "no-referrer")
    #expect(fields["cache-control"] == "no-store")
    #expect(fields["access-control-allow-origin"] == nil)
  }

  @Test("The document contains no inline script, no inline style and no token")
  func theDocumentHasNoInlineScriptOrStyle() throws {
    let text = try page.request("GET", "/").text
    #expect(text.contains(#"<script src="/live.js" defer></script>"#))
    #expect(text.components(separatedBy: "<script").count == 2)
    #expect(!text.contains("<style") && !text.contains("style="))
    #expect(!text.contains(page.token))
  }

  @Test("The server refuses the ninth event stream") func theNinthEventStreamIsRefused() throws {
    let streams = try (0..<8).map { _ in try page.events() }
    for stream in streams { try stream.message("session") }
    #expect(try page.request("GET", "/events?t=\(page.token)").status == 503)
    for stream in streams { stream.shut() }
  }

  @Test("Two hundred slow clients do not delay a step") func twoHundredSlowClientsDoNotDelayAStep() throws {
    let slow = try (0..<200).map { _ in
      let client = try page.client()
      try client.send(Array("GET / HTTP/1.1\r\nHos".utf8))
      return client
    }
    let start = ContinuousClock.now
    #expect(try page.step(step).status == 202)
    #expect(ContinuousClock.now - start < .milliseconds(500))
    // The server keeps at most 32 of them.
    #expect(slow.dropLast(40).allSatisfy { $0.ends() })
  }

  @Test("Clients that never read their responses do not keep others from the page")
  func clientsThatNeverReadDoNotBlockTheRest() throws {
    let request = "GET /live.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let requests = Array(String(repeating: request, count: 1500).utf8)
    let deaf = try (0..<32).map { _ in
      let client = try page.client()
      // The server stops reading when it cannot send, so a part of the requests may stay here.
      try? client.send(requests)
      return client
    }
    for _ in 0..<10 { #expect(try page.step(step).status == 202) }
    withExtendedLifetime(deaf) {}
  }

  @Test("Clients whose requests are rejected do not keep others from the page")
  func rejectedClientsDoNotBlockTheRest() throws {
    var rejected: [PageClient] = []
    for _ in 0..<10 {
      for _ in 0..<40 {
        let client = try page.client()
        try? client.send(Array("x y\r\n\r\n".utf8))
        rejected.append(client)
      }
      #expect(try page.step(step).status == 202)
    }
    withExtendedLifetime(rejected) {}
  }

  @Test(
    "A step that would stop the page, or that a recording cannot contain, gets 400",
    arguments: [
      #"{"at": "0ms", "do": "busy", "for": "3600s"}"#,
      #"{"at": "0ms", "do": "origin", "path": "/a.png", "responses": [{"fault": "refuse"}]}"#,
      #"[{"at": "0ms", "do": "busy", "for": "2s"}, {"at": "0ms", "do": "busy", "for": "1ms"}]"#,
      #"{"at": "0ms", "id": "a", "do": "note", "text": "x"}"#,
      #"{"after": {"event": "fetch.failed"}, "do": "note", "text": "x"}"#,
    ])
  func refusedSteps(step: String) throws {
    let response = try page.step(step)
    #expect(response.status == 400 && response.text.contains("page"), "\(response.text)")
    #expect(try page.step(self.step).status == 202)
  }

  @Test("The page stops at once, although a step keeps main busy") func stopsWhileBusy() throws {
    #expect(try page.step(#"{"at": "0ms", "do": "busy", "for": "2s"}"#).status == 202)
    let start = ContinuousClock.now
    page.stop()
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test("A command with an unknown key or a value of another type gets 400")
  func wrongCommands() throws {
    for (path, body) in [
      ("/session", #"{"prgram": "slideshow"}"#), ("/session", #"{"program": 5}"#), ("/record", #"{"file": "x"}"#),
      ("/search", #"{"seconds": "9"}"#),
    ] {
      let response = try page.request("POST", path, fields: good, body: body)
      #expect(response.status == 400, "\(path) \(body)")
      #expect(response.text.contains("unknown key") || response.text.contains("must be a string"))
    }
  }

  @Test("Mutated requests neither stop nor delay the server") func mutatedRequestsDoNotEndTheServer() throws {
    var random = SplitMix64(seed: 62)
    let text =
      "POST /step HTTP/1.1\r\nHost: localhost\r\nX-Fetcher-Token: \(page.token)\r\nOrigin: http://localhost\r\n"
      + "Content-Length: \(step.utf8.count)\r\n\r\n\(step)"
    for _ in 0..<LongTests.times(500, long: 10_000) {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[index], at: index)
        }
      }
      let client = try page.client()
      // The server may have closed the connection.
      try? client.send(bytes)
      client.shut()
    }
    let start = ContinuousClock.now
    #expect(try page.step(step).status == 202)
    #expect(ContinuousClock.now - start < .milliseconds(500))
  }
}
