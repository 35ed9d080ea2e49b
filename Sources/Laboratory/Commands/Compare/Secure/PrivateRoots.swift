import CommandLineTool
import Foundation
import PlainText
import ScenarioEngine
import ScenarioFormat

/// Root certificates for child processes: the system's certificates and an additional one that only the children trust.
///
/// On Linux, Foundation reads the root certificates from a fixed file, and no setting can change its path. Therefore a
/// child runs in a private mount namespace in which another file is mounted over this file. The rest of the system is
/// not affected, and root privileges are not required.
struct PrivateRoots: Sendable {
  /// The locations of the system's root certificates on Debian, Fedora, openSUSE and Alpine.
  private static let bundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]

  /// Mounts a file over another one, then executes the program named by the remaining arguments.
  private static let script = #"mount --bind "$1" "$2" || exit 1; shift 2; exec "$@""#

  private let unshare: URL
  /// The file with the system's root certificates.
  private let bundle: String
  /// The file that is mounted over the system's file.
  private let cover: URL
  private let shutdown: Shutdown

  private static var isPossible: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// Writes the root certificates to a folder and verifies that the system allows the private namespace.
  ///
  /// - Parameters:
  ///   - certificates: valid certificates in PEM format.
  ///   - folder: a folder for the file with all certificates.
  /// - Throws: a failure that states the remedy, if a file cannot be read or the system refuses the namespace.
  init(adding certificates: Data, in folder: URL, _ shutdown: Shutdown) async throws(CommandFailure) {
    guard Self.isPossible else {
      throw .cannotStart("a private root certificate requires Linux, where Foundation reads the roots from a file")
    }
    unshare = try SystemTool.unshare.find()
    guard let bundle = Self.bundles.first(where: FileManager.default.fileExists) else {
      throw .cannotStart("the system has no file with root certificates: install the package ca-certificates")
    }
    self.bundle = bundle
    self.shutdown = shutdown
    cover = folder.appending(path: "roots.pem")
    do {
      try (Data(contentsOf: URL(filePath: bundle)) + Data("\n".utf8) + certificates).write(to: cover)
    } catch {
      throw .cannotStart("cannot copy the root certificates \(bundle): \(FileFailure.reason(error))")
    }
    do throws(CommandFailure) {
      try await ChildProcess.output(of: unshare, words(for: "/bin/true"), shutdown)
    } catch {
      throw .cannotStart("\(error.message ?? "unshare failed"). \(Refusal.ofThisSystem.remedy)")
    }
  }

  /// Returns a copy of the given child that trusts these root certificates.
  func trusted(by child: ChildProcess) -> ChildProcess {
    var trusting = ChildProcess(executable: unshare, shutdown: child.shutdown, hasChildren: child.hasChildren)
    trusting.firstWords = words(for: child.executable.path)
    return trusting
  }

  private func words(for executable: String) -> [String] {
    ["--user", "--map-root-user", "--mount", "--", "/bin/sh", "-c", Self.script, "sh", cover.path, bundle, executable]
  }
}

/// The reason why a system refuses a private namespace.
struct Refusal: Equatable {
  /// The maximum number of user namespaces, if known.
  var most: Int?
  /// Whether AppArmor restricts user namespaces, as on Ubuntu 24.04.
  var isRestricted = false
  /// Whether the process runs in a container.
  var isContainer = false

  static var ofThisSystem: Refusal {
    let number = { (path: String) in
      (try? String(contentsOfFile: path, encoding: .utf8)).flatMap {
        Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
    let files = FileManager.default
    return Refusal(
      most: number("/proc/sys/user/max_user_namespaces"),
      isRestricted: number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1,
      isContainer: files.fileExists(atPath: "/.dockerenv") || files.fileExists(atPath: "/run/.containerenv"))
  }

  /// A message for the user that states the problem and its remedy.
  var remedy: String {
    let problem = "The system does not allow the private namespace that fetcher needs to trust the certificate"
    if most == 0 { return "\(problem): allow it with `sudo sysctl -w user.max_user_namespaces=10000`" }
    if isRestricted {
      return "\(problem): allow it with `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
    }
    if isContainer {
      return
        "\(problem): start the container with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined`"
    }
    return "\(problem): allow user namespaces on this system, or use another machine"
  }
}
