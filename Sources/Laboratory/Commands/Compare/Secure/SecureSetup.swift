import CommandLineTool
import Comparison
import EventBus
import FetcherModel
import Foundation
import PlainText
import ScenarioEngine
import ScenarioFormat

/// All parts of a comparison over https except the origin.
struct SecureSetup: Sendable {
  /// The root certificates that the children trust.
  let roots: PrivateRoots
  /// The nginx executable, or nil if the user's server is measured.
  private let nginx: URL?
  /// The name and version of nginx, such as `nginx/1.22.1`. The property is nil if the user's server is measured.
  let version: String?
  private let folder: URL

  /// Prepares https for fetcher's own server, and verifies that nginx starts.
  ///
  /// - Throws: a failure that states the remedy, if a tool is not installed or fails, or if the system refuses the
  ///   namespace.
  static func ownServer(
    _ transport: Transport, _ runtime: any Runtime, _ shutdown: Shutdown
  ) async throws(CommandFailure) -> SecureSetup {
    let nginx = try SystemTool.nginx.find()
    let folder = try makeFolder()
    let certificate = try await TestCertificate.make(in: folder, shutdown)
    let roots = try await PrivateRoots(adding: certificate, in: folder, shutdown)
    // http is measured first, and its results would be lost if nginx did not start afterwards.
    try await TLSFront.start(nginx, before: 1, transport, in: folder, runtime).stop()
    let version = try await ChildProcess.output(of: nginx, ["-v"], shutdown)
    let name = version.firstMatch(of: /nginx\/[0-9.]+/).map { String($0.0) }
    return SecureSetup(roots: roots, nginx: nginx, version: name ?? "nginx", folder: folder)
  }

  /// Prepares https for the user's server, whose certificate was issued by a private authority.
  static func usersServer(trusting path: String, _ shutdown: Shutdown) async throws(CommandFailure) -> SecureSetup {
    let folder = try makeFolder()
    let certificates = try await RootCertificate.pem(at: path, in: folder, shutdown)
    let roots = try await PrivateRoots(adding: certificates, in: folder, shutdown)
    return SecureSetup(roots: roots, nginx: nil, version: nil, folder: folder)
  }

  /// Starts nginx in front of the origin. Returns nil if the transport is not secure, or if the user's server is
  /// measured.
  func startFront(
    before origin: UInt16, _ transport: Transport, _ runtime: any Runtime
  ) async throws(CommandFailure) -> TLSFront? {
    guard let nginx, transport.isSecure else { return nil }
    return try await TLSFront.start(nginx, before: origin, transport, in: folder, runtime)
  }

  /// Creates a folder in the private temporary directory, which is removed when the process exits.
  private static func makeFolder() throws(CommandFailure) -> URL {
    let parent = PrivateTemporaryDirectory.url ?? FileManager.default.temporaryDirectory
    let folder = parent.appending(path: "tls")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .cannotStart("cannot create \(folder.path): \(FileFailure.reason(error))")
    }
    return folder
  }
}

/// A certificate for 127.0.0.1 and localhost, together with its private key. It is valid for two days.
enum TestCertificate {
  static let name = "certificate.pem"
  static let keyName = "key.pem"

  /// Creates both files in a folder, and returns the certificate.
  ///
  /// - Throws: a failure if openssl is not installed or fails.
  static func make(in folder: URL, _ shutdown: Shutdown) async throws(CommandFailure) -> Data {
    let file = folder.appending(path: name)
    let words = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
      "-keyout", folder.appending(path: keyName).path, "-out", file.path, "-subj", "/CN=fetcher compare",
      "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
    ]
    try await ChildProcess.output(of: SystemTool.openssl.find(), words, shutdown)
    do {
      return try Data(contentsOf: file)
    } catch {
      throw .cannotStart("\(file.path): the certificate cannot be read: \(FileFailure.reason(error))")
    }
  }
}
