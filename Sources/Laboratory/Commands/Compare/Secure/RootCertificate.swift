import CommandLineTool
import Foundation
import PlainText
import ScenarioEngine

/// The certificates in the user's file.
enum RootCertificate {
  /// openssl fails if the file also contains a key, although it has printed the certificates.
  private static let script = #""$@" 2>/dev/null || true"#

  /// Reads the certificates, and returns them in PEM format. libcurl would reject all certificates of the system if one
  /// of those in the file were damaged.
  ///
  /// - Parameters:
  ///   - path: a file in PEM or DER format.
  ///   - folder: a folder for a temporary copy of the file.
  /// - Throws: a failure if the file has no certificate, or one that is damaged.
  static func pem(at path: String, in folder: URL, _ shutdown: Shutdown) async throws(CommandFailure) -> Data {
    let copy = folder.appending(path: "root")
    let announced: Int
    do {
      let data = try Data(contentsOf: URL(filePath: path))
      announced = String(decoding: data, as: UTF8.self).matches(of: /-----BEGIN (?:[0-9A-Z]+ )?CERTIFICATE-----/).count
      // openssl does not find a header that follows a byte order mark.
      let mark = Data("\u{FEFF}".utf8)
      try (data.starts(with: mark) ? data.dropFirst(mark.count) : data).write(to: copy)
    } catch {
      throw .cannotStart("--cacert: \(path): the file cannot be read: \(FileFailure.reason(error))")
    }
    let words = ["storeutl", "-certs", "-passin", "pass:", copy.path]
    let openssl = try SystemTool.openssl.find().path
    let text = try await ChildProcess.output(
      of: URL(filePath: "/bin/sh"), ["-c", script, "sh", openssl] + words, shutdown)
    let found = text.matches(of: /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/)
    guard !found.isEmpty || announced > 0 else {
      throw .cannotStart("--cacert: \(path): not a certificate; it takes a file in PEM or DER format")
    }
    guard found.count >= announced else {
      let number = announced == 1 ? "its certificate" : "\(announced - found.count) of its \(announced) certificates"
      throw .cannotStart("--cacert: \(path): openssl cannot read \(number); copy the whole file again")
    }
    return Data(found.map { String($0.output) }.joined().utf8)
  }
}
