import CommandLineTool
import Comparison
import EventBus
import Foundation
import TestMachine
import Testing

@testable import Commands

/// Each test runs in a separate process, because `Shutdown` takes over the signals.
@Suite("The files for a comparison over https", .childProcesses, .enabled(if: Tools.areInstalled))
struct SecureFolderTests {
  /// Calls `body` with a folder of this name, and removes it.
  private static func withFolder(_ name: String, _ body: (URL) async throws -> Void) async throws {
    let parent = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: parent) }
    let folder = parent.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await body(folder)
  }

  @Test(
    "nginx starts in a folder of any name",
    arguments: [
      "a b", "a;b", "a$b", "$PATH", "a{b", "a}b", "a\"b", "a'b", "a\nb", "a\\b", "a#b", "a%20b?", "-p", "ä",
      String(repeating: "long", count: 50),
    ])
  func folders(_ name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      try await SecureFolderTests.withFolder(name) { folder in
        let shutdown = Shutdown()
        _ = try await TestCertificate.make(in: folder, shutdown)
        let nginx = try SystemTool.nginx.find()
        let front = try await TLSFront.start(nginx, before: 1, .https2, in: folder, DispatchRuntime.shared)
        front.begin()
        let counts = await front.counts(DispatchRuntime.shared)
        precondition(counts == FrontCounts(connections: 0, log: FrontLog("")))
        front.stop()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        precondition(names.count == 2)
      }
    }
  }

  @Test("A damaged root certificate is rejected, and a complete one is read") func certificates() async {
    await #expect(processExitsWith: .success) {
      try await SecureFolderTests.withFolder("roots") { folder in
        let shutdown = Shutdown()
        let whole = try await TestCertificate.make(in: folder, shutdown)
        let text = String(decoding: whole, as: UTF8.self)
        let key = try Data(contentsOf: folder.appending(path: TestCertificate.keyName))
        let body = text.split(separator: "\n").dropFirst().dropLast().joined()
        let binary = Data(base64Encoded: body) ?? Data()
        let read = { (data: Data) async -> String in
          do throws(CommandFailure) {
            let file = folder.appending(path: "file")
            try? data.write(to: file)
            let pem = try await RootCertificate.pem(at: file.path, in: folder, shutdown)
            return String(decoding: pem, as: UTF8.self)
          } catch {
            return error.message ?? ""
          }
        }
        for good in [
          whole, Data("\u{FEFF}".utf8) + whole, Data(text.replacing("\n", with: "\r\n").utf8), binary, key + whole,
          Data("a comment\n".utf8) + whole + key,
        ] {
          let found = await read(good)
          precondition(found == text, "\(String(decoding: good, as: UTF8.self)): \(found)")
        }
        let both = await read(whole + whole)
        precondition(both == text + text)
        for bad in [
          Data(), Data("garbage".utf8), key, Data(text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), 0] }),
          binary.dropLast(9),
        ] {
          let found = await read(bad)
          precondition(found.hasSuffix("not a certificate; it takes a file in PEM or DER format"), found)
        }
        let half = whole.prefix(whole.count / 2)
        let changed = Data(text.replacing("MII", with: "AAA").utf8)
        for bad in [half, changed] {
          let found = await read(bad)
          precondition(found.hasSuffix("openssl cannot read its certificate; copy the whole file again"), found)
        }
        let cut = await read(whole + half)
        precondition(cut.contains("cannot read 1 of its 2 certificates"), cut)
        let missing = try? await RootCertificate.pem(at: "/nowhere", in: folder, shutdown)
        precondition(missing == nil)
      }
    }
  }
}

private enum Tools {
  static let areInstalled = ["/usr/sbin/nginx", "/usr/bin/openssl"].allSatisfy(FileManager.default.isExecutableFile)
}
