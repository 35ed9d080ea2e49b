import Foundation

/// A certificate for 127.0.0.1 and localhost, together with its private key. It is valid for two days.
struct TestCertificate: Sendable {
  let certificate: URL
  let key: URL

  /// Creates both files in a folder.
  ///
  /// - Throws: a failure if openssl is not installed or fails.
  static func make(in folder: URL, _ shutdown: Shutdown) async throws(CommandFailure) -> TestCertificate {
    let pair = TestCertificate(
      certificate: folder.appending(path: "certificate.pem"), key: folder.appending(path: "key.pem"))
    try await ChildProcess.output(of: SystemTool.openssl.find(), pair.words, shutdown)
    return pair
  }

  private var words: [String] {
    [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
      "-keyout", key.path, "-out", certificate.path, "-subj", "/CN=fetcher compare",
      "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
    ]
  }
}
