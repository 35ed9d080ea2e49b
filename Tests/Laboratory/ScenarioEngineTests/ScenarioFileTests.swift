import Foundation
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// Scenario files on disk: their names, and the body files that they refer to.
@Suite struct ScenarioFileTests {
  @Test("A body file must be a regular file inside the scenario's folder")
  func bodyFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bodies-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let pages = folder.appending(path: "set/pages")
    try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
    try Data("secret".utf8).write(to: folder.appending(path: "secret.html"))
    try Data("page".utf8).write(to: pages.appending(path: "one.html"))
    try Data("page".utf8).write(to: folder.appending(path: "set/sign-in.html"))
    try FileManager.default.createSymbolicLink(
      atPath: pages.appending(path: "in.html").path, withDestinationPath: "../sign-in.html")
    try FileManager.default.createSymbolicLink(
      atPath: pages.appending(path: "out.html").path, withDestinationPath: "../../secret.html")
    let path = folder.appending(path: "set/x.json").path
    let report = { (name: String) throws in
      let text = #"""
        {"scenario": 1, "name": "x", "steps": [],
         "origin": {"default": {"body": {"file": "\#(name)"}}}}
        """#
      try Data(text.utf8).write(to: URL(filePath: path))
      let file = try ScenarioFile(path: path)
      return DiagnosticReport(source: file.source, diagnostics: file.diagnostics).lines()
    }
    for name in ["sign-in.html", "pages/one.html", "pages/in.html"] { #expect(try report(name) == []) }
    let set = folder.path + "/set/"
    let missing = try report("sign-on.html")
    #expect(missing.first == "error[E15]: the file \"\(set)sign-on.html\" does not exist")
    #expect(missing.contains("  --> \(path):2:42"))
    #expect(missing.last?.hasSuffix("^^^^^^^^^^^^^^ did you mean \"sign-in.html\"?") == true)
    #expect(try report("nothing.png").last?.hasSuffix(" file names are relative to the scenario's folder") == true)
    #expect(try report("pages").first == "error[E15]: \"\(set)pages\" is not a regular file")
    #expect(
      try report("pages/out.html").first
        == "error[E15]: \"\(set)pages/out.html\" is a link that points outside the scenario's folder")
  }

  @Test(
    "A scenario's name must equal the name of its file, or of its folder in a lesson",
    arguments: [
      ("late.json", "late", true), ("late.json", "early", false), ("L03-late/scenario.json", "L03-late", true),
      ("L03-late/scenario.json", "scenario", false),
    ])
  func names(_ path: String, _ name: String, _ isValid: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(#"{"scenario": 1, "name": "\#(name)", "steps": []}"#.utf8).write(to: file)
    #expect((try ScenarioFile(path: file.path).scenario != nil) == isValid)
  }
}
