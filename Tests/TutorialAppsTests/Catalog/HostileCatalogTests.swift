import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import PlainText
import SeededNumbers
import TestMachine
import Testing
import TutorialApps

/// Malicious catalogs.
@Suite(.computing, .timeLimit(.minutes(10))) struct HostileCatalogTests {
  private func error(_ json: String) -> ServiceError? { error(Data(json.utf8)) }

  private func error(_ data: Data) -> ServiceError? {
    do throws(ServiceError) {
      _ = try Catalog(data: data, name: "list.json")
      return nil
    } catch {
      return error
    }
  }

  private func path(_ error: ServiceError?) -> String? {
    if case .catalog(let path, let reason) = error, !reason.isEmpty { path } else { nil }
  }

  private static let long = String(repeating: "x", count: 10 << 20)

  @Test(
    "The error for a text of 10 MB names its path and does not quote it",
    arguments: [
      (#"{"slides": [{"file": "\#(long)"}]}"#, "slides[0].file"),
      (#"{"slides": [{"file": "http://localhost/\#(long)"}]}"#, "slides[0].file"),
      (#"{"slides": [{"file": "a", "title": "\#(long)"}]}"#, "slides[0].title"),
      (#"{"slides": [{"file": "a", "id": "\#(long)"}]}"#, "slides[0].id"),
      (#"{"title": "\#(long)", "slides": []}"#, "title"),
    ].map { Hostile(json: $0.0, path: $0.1) })
  fileprivate func longText(hostile: Hostile) throws {
    let found = error(hostile.json)
    #expect(path(found) == hostile.path)
    #expect(try #require(found).description.count < 500)
  }

  @Test("A catalog ignores a long text under an unknown key")
  func longUnknownKey() {
    #expect(error(#"{"slides": [{"file": "a", "more": "\#(Self.long)"}]}"#) == nil)
  }

  @Test("The error for JSON that is nested too deeply names the file", arguments: [1000, 100_000, 3_000_000])
  func depth(levels: Int) throws {
    let bomb = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    for json in [bomb, #"{"slides": \#(bomb)}"#, #"{"slides": [{"file": \#(bomb)}]}"#] {
      let found = try #require(error(json))
      #expect(path(found) == "")
      #expect(found.description.contains("list.json"))
      #expect(found.description.contains("nested"))
    }
  }

  @Test("The error for a nested value just below the parser's depth limit names its path")
  func deepValue() {
    let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    #expect(path(error(#"{"slides": [{"file": \#(deep)}]}"#)) == "slides[0].file")
  }

  @Test("The error for a duplicate id names the path of the second picture, whether the ids are numbers or texts")
  func duplicateIds() throws {
    let found = error(#"{"slides": [{"id": 7, "file": "a"}, {"file": "b"}, {"id": "7", "file": "c"}]}"#)
    #expect(path(found) == "slides[2].id")
    #expect(try #require(found).description.contains("slides[0]"))
  }

  @Test(
    "The error for bytes that are not UTF-8 names the file and the position",
    arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) throws {
    let data = Data(#"{"slides": [{"file": "a"#.utf8) + Data(bytes) + Data(#""}]}"#.utf8)
    let found = try #require(error(data))
    #expect(path(found) == "")
    #expect(found.description.contains("list.json"))
    #expect(found.description.contains("22") || found.description.contains("23"), "\(found)")
  }

  @Test("An error message contains no control characters")
  func controlCharacters() throws {
    let found = try #require(error(#"{"slides": [{"file": "/\u001b[2J\u0007"}]}"#))
    #expect(found.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }

  @Test("The error for a value of the wrong type names its path at every position")
  func wrongTypes() {
    for value in ["null", "1", "true", "[]", "{}", "\"\"", "-0.5e10", "[[]]"] {
      for (template, path) in [
        ("{\"slides\": [{\"file\": #}]}", "slides[0].file"), ("{\"slides\": [#]}", "slides[0]"),
        ("{\"slides\": #}", "slides"), ("#", ""),
      ] {
        let found = error(template.replacingOccurrences(of: "#", with: value))
        if template == "{\"slides\": #}", ["[]", "[[]]"].contains(value) { continue }
        if template == "{\"slides\": [#]}", value == "{}" { continue }
        #expect(self.path(found)?.hasPrefix(path) == true, "\(template) with \(value): \(String(describing: found))")
      }
    }
  }

  @Test("A full address may have an uppercase scheme", arguments: ["HTTP://localhost/x", "Https://localhost/x"])
  func capitals(address: String) throws {
    let catalog = try Catalog(data: Data(#"{"slides": [{"file": "\#(address)"}]}"#.utf8), name: "list.json")
    #expect(catalog.entries[0].address(below: try #require(URL(string: "http://localhost:1/"))) == address)
  }

  @Test(
    "Combining marks and invalid UTF-8 escapes do not hide a forbidden path",
    arguments: [
      "../\u{301}x.jpg", "a/../\u{301}x.jpg", "/\u{301}x.jpg", "a\\..\\\u{301}x.jpg", "file:\u{301}//x", "..%2f%CC%81x",
      "%2e%2e/%FF",
    ])
  func combiningMarks(file: String) throws {
    let json = try JSONSerialization.data(withJSONObject: ["slides": [["file": file]]])
    #expect(path(error(json)) == "slides[0].file")
    #expect(throws: ServiceError.self) { try Slideshow(data: json) }
  }

  @Test("Errors and picture titles contain no credentials or query of an address")
  func secrets() throws {
    let found = try #require(error(#"{"slides": [{"file": "ftp://user:PASSWORD@host/a.png?key=PASSWORD"}]}"#))
    #expect(!found.description.contains("PASSWORD"))
    for address in ["https://user:PASSWORD@host/a.png?key=PASSWORD#PASSWORD", "https://user:PASSWORD@host"] {
      let json = Data(#"{"slides": [{"file": "\#(address)"}]}"#.utf8)
      #expect(try !Catalog(data: json, name: "list.json").entries[0].title.contains("PASSWORD"))
      #expect(try !Slideshow(data: json).slides[0].title.contains("PASSWORD"))
    }
  }

  @Test("None of thousands of random file names yields an address outside the base")
  func randomNames() throws {
    let pieces = [
      "..", "..", ".", "/", "/", "\\", "\u{301}", "\u{338}", "%2e", "%2F", "%5c", "%FF", "%", "a", "é", ":", "http",
      "?", "#",
      "@", "\u{0}", "\u{FEFF}", "\u{200D}", " ",
    ]
    var random = SplitMix64(seed: 1)
    let base = try #require(URL(string: "http://localhost:1/pictures/"))
    var accepted = 0
    let count = LongTests.times(700, long: 20_000)
    for _ in 0..<count {
      let name = (0..<Int.random(in: 1...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      let json = try JSONSerialization.data(withJSONObject: ["slides": [["file": name]]])
      guard let entry = try? Catalog(data: json, name: "list.json").entries.first else { continue }
      accepted += 1
      let address = Array(entry.address(below: base).utf8)
      let plain = Array((String(decoding: address, as: UTF8.self).removingPercentEncoding ?? "").utf8)
      #expect(address.starts(with: base.absoluteString.utf8), "\(name) left the base")
      #expect(
        !plain.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
          .contains { $0.elementsEqual("..".utf8) }, "\(name) has a parent folder in its path")
    }
    #expect(accepted > count / 20)
  }

  @Test("A catalog of long paths takes time proportional to their length")
  func longPaths() throws {
    let file = String(repeating: "a/", count: 2047) + "b"
    let json = try JSONSerialization.data(
      withJSONObject: ["slides": Array(repeating: ["file": file], count: 200)])
    let catalog = try Catalog(data: json, name: "list.json")
    let base = try #require(URL(string: "http://localhost:1/pictures"))
    let start = ProcessCount.threadTime
    let images = catalog.images(base: base, in: .held(HeldStrategy()))
    let time = ProcessCount.threadTime - start
    #expect(images.allSatisfy { $0.url == "http://localhost:1/pictures/" + file })
    // It takes eight seconds if each part becomes a new URL.
    #expect(time < .seconds(2 * ProcessCount.slowness))
  }

  @Test("A file name with unusual characters has an address below the base")
  func addressesStayBelow() throws {
    let names = [
      "a%2e%2e%2fb", "%252e%252e/x", "a?b=..", "a#../..", "a;..", "x/./y", ". .", "…/x", "a@evil.example/x",
      "evil.example:80", "%00", "a\u{0}b", "localhost", "a:b",
    ]
    let base = try #require(URL(string: "http://localhost:1/pictures/"))
    for name in names {
      let json = try JSONSerialization.data(withJSONObject: ["slides": [["file": name]]])
      guard let entry = try? Catalog(data: json, name: "list.json").entries.first else { continue }
      let address = entry.address(below: base)
      #expect(address.hasPrefix("http://localhost:1/pictures/"), "\(name) became \(address)")
      let parts = try #require(URL(string: address)).standardized.pathComponents
      #expect(parts.first == "/" && parts.dropFirst().first == "pictures" && !parts.contains(".."), "\(address)")
    }
  }
}

/// A catalog that is too long for the description of a test case.
private struct Hostile: Sendable, CustomTestStringConvertible {
  let json: String
  let path: String
  var testDescription: String { path }
}

extension NetworkSuite {
  @Suite struct ForbiddenFetchTests {
    @Test(
      "No strategy follows a redirect to a forbidden address, directly or after another redirect",
      arguments: Workbench.seeing)
    func forbidden(strategy: StrategyName) async throws {
      // The policy allows any name of the loopback, so the targets are addresses that it blocks.
      let targets = ["http://10.0.0.1:9/x", "ftp://127.0.0.1/x", "file:///etc/passwd", "//10.0.0.1/x", "data:,x"]
      let hops = targets.enumerated().map { index, target in
        OriginRoute(path: "/hop\(index)", OriginResponse(status: 302, headers: [("Location", target)]))
      }
      let chains = targets.indices.map { index in
        OriginRoute(path: "/chain\(index)", OriginResponse(status: 307, headers: [("Location", "/hop\(index)")]))
      }
      let workbench = try Workbench(strategy, hops + chains)
      let names = targets.indices.flatMap { ["hop\($0)", "chain\($0)"] }
      let json = try JSONSerialization.data(withJSONObject: ["slides": names.map { ["file": $0] }])
      let catalog = try Catalog(data: json, name: "list.json")
      let images = catalog.images(base: workbench.origin.baseURL, in: workbench.environment)
      let events = images.map { EventRecorder($0, in: workbench.environment) }
      for image in images { _ = image.image }
      for recorder in events { await recorder.ended() }
      for image in images {
        #expect(image.state == .failed(.blockedByTransportPolicy), "\(image.name)")
      }
      #expect(workbench.origin.counters.requests == 3 * targets.count)
    }

    @Test("A policy that must hold after redirects blocks a strategy that does not see redirects")
    func blindStrategy() async throws {
      let workbench = try Workbench("blocking", policy: TransportPolicy(mustHoldAfterRedirects: true))
      let (image, _) = await workbench.fetch()
      #expect(image.state == .failed(.redirectsUnseen(strategy: .blocking)))
      await #expect(throws: APIError.dataTaskError(.redirectsUnseen(strategy: .blocking))) {
        try await APIService(workbench.address("/users"), in: workbench.environment).getJSON([User].self)
      }
      #expect(workbench.origin.counters.requests == 0)
    }
  }
}
