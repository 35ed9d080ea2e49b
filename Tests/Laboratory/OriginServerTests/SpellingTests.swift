import Foundation
import OriginServer
import TestMachine
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Names that compare equal as a Swift `String`, but differ for HTTP and file systems.
@Suite(.blocking, .timeLimit(.minutes(10))) final class SpellingTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"
  private static let targets = ["/caf%C3%A9", "/cafe%CC%81"]

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("origin-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ text: String, to path: String) throws {
    let file = folder.path + "/" + path
    let parent = String(file.prefix(upTo: file.utf8.lastIndex(of: UInt8(ascii: "/"))!))
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + path, withDestinationPath: target)
  }

  private func answers(_ content: OriginContent, _ targets: [String]) throws -> [String] {
    let server = try OriginServer(content: content)
    let client = try Client(server.port)
    return try targets.map { target in
      client.get(target)
      let (head, body) = try client.readResponse()
      return head.status == 200 ? String(decoding: body, as: UTF8.self) : "\(head.status)"
    }
  }

  @Test("Two spellings of a path are two routes with separate counts")
  func routes() throws {
    let server = try OriginServer(
      content: OriginContent(routes: [
        OriginRoute(path: "/" + Self.composed, OriginResponse(body: .text("composed"))),
        OriginRoute(path: "/" + Self.decomposed, OriginResponse(body: .text("decomposed"))),
        OriginRoute(path: "/q?" + Self.composed, OriginResponse(body: .text("query"))),
      ]))
    let client = try Client(server.port)
    let bodies = try (Self.targets + ["/q?" + Self.composed, "/q?" + Self.decomposed]).map { target in
      client.get(target)
      let (head, body) = try client.readResponse()
      return head.status == 200 ? String(decoding: body, as: UTF8.self) : "\(head.status)"
    }
    #expect(bodies == ["composed", "decomposed", "query", "404"])
    #expect(server.counters.requestsByPath["/caf\u{E9}"] == 1)
    #expect(server.counters.requestsByPath["/cafe\u{301}"] == 1)
  }

  @Test("A combining mark after a separator belongs to the next name")
  func separators() throws {
    try write("marked", to: "\u{301}x")
    try write("deep", to: "sub/\u{301}x")
    let routes = [OriginRoute(path: "/hello", OriginResponse(body: .text("hello")))]
    let bodies = try answers(
      OriginContent(directory: folder, routes: routes),
      [
        "/hello?\u{301}", "http://localhost/%CC%81x", "http://localhost?\u{301}", "/%CC%81x", "/sub/%CC%81x",
        "/sub/../%CC%81x",
      ])
    #expect(bodies == ["hello", "marked", "404", "marked", "deep", "404"])
  }

  #if os(Linux)
    @Test("Two spellings of a name are two files")
    func files() throws {
      try write("composed", to: Self.composed)
      try write("decomposed", to: Self.decomposed)
      #expect(try answers(OriginContent(directory: folder), Self.targets) == ["composed", "decomposed"])
    }

    @Test("A link cannot leave the folder for a sibling folder with another spelling of its name")
    func siblings() throws {
      for (root, sibling) in [(Self.composed, Self.decomposed), (Self.decomposed, Self.composed)] {
        try write("index", to: root + "/index.html")
        try write("secret", to: sibling + "/secret.txt")
        try link(root + "/out.txt", to: "../\(sibling)/secret.txt")
        try link(root + "/out", to: "../\(sibling)")
        let content = OriginContent(directory: folder.appendingPathComponent(root))
        #expect(try answers(content, ["/", "/out.txt", "/out/secret.txt"]) == ["index", "404", "404"])
        try FileManager.default.removeItem(at: folder.appendingPathComponent(root))
        try FileManager.default.removeItem(at: folder.appendingPathComponent(sibling))
      }
    }

    @Test("A name that is not valid UTF-8 is not repaired into a link that escapes")
    func mendedNames() throws {
      try write("inside", to: "site/inside.txt")
      try write("secret", to: "secret.txt")
      try link("site/\u{FFFD}", to: "../secret.txt")
      let unreadable = Array((folder.path + "/site/").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
      #expect(rename(folder.path + "/site/inside.txt", unreadable) == 0)
      #expect(symlink(unreadable, folder.path + "/site/way.txt") == 0)
      let content = OriginContent(directory: folder.appendingPathComponent("site"))
      #expect(try answers(content, ["/way.txt", "/%EF%BF%BD"]) == ["inside", "404"])
    }
  #endif
}
