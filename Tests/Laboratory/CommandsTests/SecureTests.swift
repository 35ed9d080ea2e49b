import CommandLineTool
import Comparison
import Foundation
import OriginServer
import Testing

@testable import Commands

/// The pure parts of a comparison over https.
@Suite struct SecureTests {
  @Test("The nginx log yields the counts of requests, bytes, protocols and resumed sessions") func log() {
    let log = FrontLog(
      """
      HTTP/2.0 2 . 1100 /image-0
      HTTP/2.0 2 . 0 /image-1
      HTTP/2.0 7 r 400 /image-0
      HTTP/1.1 9 . 1100 /picture

      """)
    #expect(log.requests == 4)
    #expect(log.requestsByPath == ["/image-0": 2, "/image-1": 1, "/picture": 1])
    #expect(log.bytesSentByPath == ["/image-0": 1500, "/image-1": 0, "/picture": 1100])
    #expect(log.protocols == ["HTTP/2.0", "HTTP/1.1"])
    #expect(log.resumed == [7])
    #expect(log.unreadable == 0)
  }

  @Test(
    "The log line of a malformed request does not count as a request",
    arguments: [" 3 . 157 ", "HTTP/1.1 x . 1 /a", "GET"])
  func malformed(_ line: String) {
    let log = FrontLog(line + "\nHTTP/1.1 4 . 10 /a b\n")
    #expect(log.requestsByPath == ["/a b": 1])
    #expect(log.unreadable == 1)
  }

  @Test("The nginx status page yields the number of connections") func status() throws {
    let page = "HTTP/1.1 200 OK\r\n\r\nActive connections: 3 \nserver accepts handled requests\n 12 12 40 \nReading: 0"
    let status = try #require(FrontStatus(page))
    #expect(status.open == 3 && status.accepted == 12)
    #expect(FrontStatus("HTTP/1.1 404 Not Found") == nil)
  }

  @Test("The front server's counts replace those of the origin") func counts() {
    let counts = FrontCounts(connections: 6, log: FrontLog("HTTP/2.0 1 . 10 /a\nHTTP/2.0 2 r 10 /a\n"))
    #expect(counts.handshakes == 5)
    var origin = OriginCounters()
    origin.connections = 40
    origin.requests = 9
    origin.answers = 9
    counts.apply(to: &origin)
    #expect(origin.connections == 6 && origin.requests == 2 && origin.answers == 9)
    #expect(origin.bytesSentByPath == ["/a": 20])
    var sample = Sample(workload: .list, transport: .https2, block: 1, position: 0, contender: "async")
    counts.add(to: &sample)
    #expect(sample[.handshakes] == 5)
    #expect(sample.protocols == ["HTTP/2.0"])
  }

  @Test("The error for a missing tool names the package to install") func missing() {
    let failure = #expect(throws: CommandFailure.self) { try SystemTool.nginx.find(in: ["/nowhere"]) }
    #expect(failure?.message?.contains("`sudo apt-get install nginx`") == true)
    let unshare = #expect(throws: CommandFailure.self) { try SystemTool.unshare.find(in: []) }
    #expect(unshare?.message?.contains("util-linux") == true)
  }

  @Test("The error for a refused namespace has a remedy for each cause") func refusals() {
    #expect(Refusal(most: 0).remedy.contains("sysctl -w user.max_user_namespaces="))
    #expect(Refusal(most: 100, isRestricted: true).remedy.contains("apparmor_restrict_unprivileged_userns=0"))
    #expect(Refusal(most: 100, isContainer: true).remedy.contains("--security-opt seccomp=unconfined"))
    #expect(Refusal().remedy.contains("allow user namespaces"))
  }

  @Test("The front server offers HTTP/2 only if the transport asks for it", arguments: [Transport.https1, .https2])
  func settings(_ transport: Transport) {
    let text = TLSFront.settings(8443, before: 8080, transport)
    #expect(text.contains(" http2 ") == (transport == .https2))
    #expect(text.contains("listen 127.0.0.1:8443 ssl"))
    #expect(text.contains("proxy_buffering off"))
  }
}
