import Foundation
import OriginServer
import TestMachine
import Testing

@Suite(.blocking, .timeLimit(.minutes(10))) final class StaticFileTests {
  let root: URL
  let server: OriginServer

  init() throws {
    let files = FileManager.default
    root = files.temporaryDirectory.appendingPathComponent("origin-\(UUID().uuidString)")
    let site = root.appendingPathComponent("site")
    try files.createDirectory(at: site.appendingPathComponent("sub folder"), withIntermediateDirectories: true)
    try files.createDirectory(at: root.appendingPathComponent("site-2"), withIntermediateDirectories: true)
    try Data("secret".utf8).write(to: root.appendingPathComponent("secret.txt"))
    try Data("secret".utf8).write(to: root.appendingPathComponent("site-2/secret.txt"))
    try Data("index".utf8).write(to: site.appendingPathComponent("index.html"))
    try Data("picture".utf8).write(to: site.appendingPathComponent("sub folder/ä.jpeg"))
    try OriginBody.pattern(300_000).write(to: site.appendingPathComponent("large.bin"))
    for (name, target) in [("out", ".."), ("file", "../secret.txt"), ("inside", "index.html")] {
      try files.createSymbolicLink(atPath: site.appendingPathComponent(name).path, withDestinationPath: target)
    }
    server = try OriginServer(
      content: OriginContent(
        directory: site,
        routes: [
          OriginRoute(path: "/scripted", OriginResponse(body: .file(site.appendingPathComponent("index.html")))),
          OriginRoute(path: "/gone", OriginResponse(body: .file(site.appendingPathComponent("no such file")))),
        ]))
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  private func get(_ target: String) throws -> (head: Client.Head, body: [UInt8]) {
    let client = try Client(server.port)
    client.get(target)
    return try client.readResponse()
  }

  @Test(
    "The server finds a file by its path and declares its type",
    arguments: [
      ("/", "index", "text/html; charset=utf-8"), ("/index.html?v=2", "index", "text/html; charset=utf-8"),
      ("/sub%20folder/%C3%A4.jpeg", "picture", "image/jpeg"), ("/inside", "index", "application/octet-stream"),
      ("/scripted", "index", "text/html; charset=utf-8"),
    ])
  func aFileIsFound(target: String, body: String, type: String) throws {
    let answer = try get(target)
    #expect(answer.head.status == 200)
    #expect(answer.body == Array(body.utf8))
    if target != "/" { #expect(answer.head.fields["content-type"] == type) }
  }

  @Test(
    "The server finds nothing outside its folder",
    arguments: [
      "/../secret.txt", "/%2e%2e/secret.txt", "/sub%20folder/../../secret.txt", "/..%2fsecret.txt", "/out/secret.txt",
      "/file", "/../site-2/secret.txt", "//../secret.txt", "/sub%20folder/../index.html", "/sub%20folder",
      "/index.html/",
      "/nothing",
    ])
  func nothingOutsideTheFolderIsFound(target: String) throws {
    let answer = try get(target)
    #expect(answer.head.status == 404)
    #expect(!String(decoding: answer.body, as: UTF8.self).contains("secret"))
  }

  @Test("A large file arrives completely")
  func aLargeFileArrivesWhole() throws {
    #expect(try get("/large.bin").body == Array(OriginBody.pattern(300_000)))
  }

  @Test("HEAD reports the length of a file, and POST is not allowed")
  func headTellsTheLengthOfAFile() throws {
    let client = try Client(server.port)
    client.send("HEAD /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try client.readHead().fields["content-length"] == "300000")
    client.send("POST /large.bin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
    let head = try client.readResponse().head
    #expect(head.status == 405)
    #expect(head.fields["allow"] == "GET, HEAD")
  }

  @Test("A request for a scripted file that does not exist gets status 500")
  func aScriptedFileThatIsMissingIsAnErrorOfTheServer() throws {
    #expect(try get("/gone").head.status == 500)
  }
}
