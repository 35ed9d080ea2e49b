import Comparison
import EventBus
import FetcherModel
import Foundation
import ScenarioEngine
import ScenarioFormat

/// Everything that a comparison over https needs besides the origin.
struct SecureSetup: Sendable {
  /// The roots of the children.
  let roots: PrivateRoots
  /// Nil for the user's server.
  private let server: (nginx: URL, certificate: TestCertificate)?
  /// Such as `nginx/1.22.1`.
  let version: String?
  private let folder: URL

  /// Prepares https to fetcher's own server.
  ///
  /// - Throws: a failure with the remedy if a tool is not installed, or the system refuses the namespace.
  static func ownServer(_ shutdown: Shutdown) async throws(CommandFailure) -> SecureSetup {
    let nginx = try SystemTool.nginx.find()
    let folder = try makeFolder()
    let certificate = try await TestCertificate.make(in: folder, shutdown)
    let roots = try await PrivateRoots(adding: certificate.certificate, in: folder, shutdown)
    let version = try await ChildProcess.output(of: nginx, ["-v"], shutdown)
    let name = version.firstMatch(of: /nginx\/[0-9.]+/).map { String($0.0) }
    return SecureSetup(roots: roots, server: (nginx, certificate), version: name ?? "nginx", folder: folder)
  }

  /// Prepares https to the user's server, which has a certificate of a private authority.
  static func usersServer(trusting path: String, _ shutdown: Shutdown) async throws(CommandFailure) -> SecureSetup {
    let folder = try makeFolder()
    let roots = try await PrivateRoots(adding: URL(filePath: path), in: folder, shutdown)
    return SecureSetup(roots: roots, server: nil, version: nil, folder: folder)
  }

  /// Starts a server in front of the origin.
  func startFront(
    before origin: UInt16, _ transport: Transport, _ runtime: any Runtime
  ) async throws(CommandFailure) -> TLSFront? {
    guard let server, transport.isSecure else { return nil }
    return try await TLSFront.start(server.nginx, before: origin, transport, server.certificate, in: folder, runtime)
  }

  /// A folder in the private temporary directory, which the end of the process removes.
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
