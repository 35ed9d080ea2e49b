import Foundation
import OriginServer
import Synchronization
import TestMachine
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Folder entries that lead elsewhere or are not files.
@Suite(.timeLimit(.minutes(10)), .blocking) final class LinkTests {
  private let root: URL
  private let site: URL
  private let server: OriginServer

  init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("origin-\(UUID().uuidString)")
    site = root.appendingPathComponent("site")
    try Self.makeSite(site)
    try Data("secret".utf8).write(to: root.appendingPathComponent("page.txt"))
    server = try OriginServer(content: OriginContent(directory: site))
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// Creates the file `page.txt` and a copy of it in a subfolder.
  private static func makeSite(_ site: URL) throws {
    let folder = site.appendingPathComponent("folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for place in [site, folder] { try Data("page".utf8).write(to: place.appendingPathComponent("page.txt")) }
  }

  private func link(_ name: String, to target: String) throws {
    let link = site.appendingPathComponent(name).path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
  }

  /// Returns the text of a file, or nil if the server does not find it.
  private func text(_ target: String) throws -> String? {
    let client = try Client(server.port)
    client.get(target)
    let answer = try client.readResponse()
    guard answer.head.status == 200 else {
      #expect(answer.head.status == 404)
      return nil
    }
    return String(decoding: answer.body, as: UTF8.self)
  }

  @Test("The server follows a link that stays inside the folder")
  func inside() throws {
    for (name, target) in [
      ("file", "page.txt"), ("down", "folder/page.txt"), ("folder/up", "../page.txt"), ("folders", "folder"),
      ("slash", "folder/"), ("dots", "./folder/.././folder//page.txt"), ("self", "."), ("empty-way", "folder/.."),
      ("absolute", site.path + "/page.txt"), ("absolute-folder", site.path), ("around", "../site/page.txt"),
      ("chain", "file"), ("to-around", "around"),
    ] { try link(name, to: target) }
    try FileManager.default.createSymbolicLink(at: root.appendingPathComponent("alias"), withDestinationURL: site)
    try link("by-alias", to: "../alias/folder/page.txt")
    try link("by-absolute-alias", to: root.path + "/alias/page.txt")
    for target in [
      "/file", "/down", "/folder/up", "/folders/page.txt", "/slash/page.txt", "/dots", "/self/page.txt",
      "/self/self/self/folders/up", "/empty-way/page.txt", "/absolute", "/absolute-folder/page.txt", "/around",
      "/chain", "/to-around", "/by-alias", "/by-absolute-alias", "//page.txt", "/./folder/page.txt",
    ] { #expect(try text(target) == "page", "\(target)") }
  }

  @Test("A link that leads outside, to nothing, or in a circle is not found")
  func outside() throws {
    for (name, target) in [
      ("out", "../page.txt"), ("out-folder", ".."), ("absolute", root.path + "/page.txt"), ("root", "/"),
      ("folder/out", "../../page.txt"), ("deep", "folder/../../page.txt"), ("far", "../../../../../../../etc/passwd"),
      ("sibling", "../site-2/page.txt"), ("nowhere", "nothing"), ("itself", "itself"), ("one", "two"), ("two", "one"),
      ("file-as-folder", "page.txt/"), ("through-file", "page.txt/../page.txt"), ("folder-only", "folder"),
      ("grow", "grow/grow"),
    ] { try link(name, to: target) }
    try Self.makeSite(root.appendingPathComponent("site-2"))
    for target in [
      "/out", "/out-folder/page.txt", "/absolute", "/root/etc/passwd", "/folder/out", "/deep", "/far", "/sibling",
      "/nowhere", "/itself", "/itself/page.txt", "/one", "/one/page.txt", "/file-as-folder", "/through-file",
      "/folder-only", "/grow", "/page.txt/", "/page.txt/.", "/folder/", "/\(String(repeating: "a", count: 5000))",
    ] { #expect(try text(target) == nil, "\(target)") }
  }

  @Test("The server follows 40 links in a row, as Linux does, and not one more", arguments: [40, 41])
  func longChain(count: Int) throws {
    try link("1", to: "page.txt")
    for number in 2...count { try link("\(number)", to: "\(number - 1)") }
    #expect(try text("/\(count)") == (count == 40 ? "page" : nil))
  }

  @Test("A pipe or a device is not found and blocks no request")
  func noFile() throws {
    try #require(mkfifo(site.appendingPathComponent("pipe").path, 0o644) == 0)
    for (name, target) in [("pipe-link", "pipe"), ("null", "/dev/null"), ("terminal", "/dev/tty")] {
      try link(name, to: target)
    }
    for target in ["/pipe", "/pipe-link", "/pipe/page.txt", "/null", "/terminal"] { #expect(try text(target) == nil) }
    #expect(try text("/page.txt") == "page")
  }

  @Test("The server serves a folder that was recreated, but not a link in its place")
  func anew() throws {
    let away = root.appendingPathComponent("away")
    try FileManager.default.moveItem(at: site, to: away)
    #expect(try text("/page.txt") == nil)
    try FileManager.default.createSymbolicLink(at: site, withDestinationURL: away)
    #expect(try text("/page.txt") == nil)
    try FileManager.default.removeItem(at: site)
    try Self.makeSite(site)
    #expect(try text("/page.txt") == "page")
  }

  @Test("A link that switches between two folders during requests makes no request fail")
  func releases() throws {
    try Self.makeSite(site.appendingPathComponent("release-1"))
    try Self.makeSite(site.appendingPathComponent("release-2"))
    try link("current", to: "release-1")
    try link("next", to: "release-2")
    let texts = try whileExchanging("current", "next") { try text("/current/page.txt") }
    #expect(Set(texts) == ["page"])
  }

  @Test(
    "Exchanging names during requests never exposes a file outside the folder",
    arguments: [
      // A link to the outside is exchanged with a file, a link, and a folder.
      ("page.txt", "../page.txt", "/page.txt"), ("file", "../page.txt", "/file"), ("folder", "..", "/folder/page.txt"),
      ("folders", "..", "/folders/page.txt"),
    ])
  func exchanges(name: String, target: String, path: String) throws {
    try link("file", to: "page.txt")
    try link("folders", to: "folder")
    try link("way-out", to: target)
    let texts = try whileExchanging(name, "way-out") { try text(path) }
    #expect(Set(texts) == ["page", nil])
  }

  /// Returns the results of many calls of `body` while another thread exchanges two names in the folder.
  ///
  /// The thread pauses between calls, because otherwise it would hold the folder's lock and other tests would wait.
  private func whileExchanging<Result>(_ one: String, _ other: String, _ body: () throws -> Result) throws -> [Result] {
    let (one, other) = (site.appendingPathComponent(one).path, site.appendingPathComponent(other).path)
    let exchanging = Exchanging()
    let (calls, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      while !exchanging.isOver.load(ordering: .relaxed) {
        calls.wait()
        // Use an odd number, so that the next call begins with the other name.
        for _ in 0..<25 { exchanging.count += exchange(one, other) ? 1 : 0 }
      }
      ended.signal()
    }
    defer {
      exchanging.isOver.store(true, ordering: .relaxed)
      calls.signal()
      ended.wait()
      #expect(exchanging.count > 0)
    }
    return try (0..<LongTests.times(250, long: 20_000)).map { _ in
      calls.signal()
      return try body()
    }
  }

  /// Only the exchanging thread uses the count until it ends.
  private final class Exchanging: @unchecked Sendable {
    let isOver = Atomic(false)
    var count = 0
  }
}

/// Exchanges two names atomically.
private func exchange(_ one: String, _ other: String) -> Bool {
  #if canImport(Darwin)
    return renamex_np(one, other, UInt32(RENAME_SWAP)) == 0
  #else
    // The C headers declare it only with the GNU extensions.
    typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    let rename = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Rename.self) }
    return rename?(AT_FDCWD, one, AT_FDCWD, other, 2) == 0
  #endif
}
