import FetcherModel
import Foundation

/// Changes the environment of the process for Foundation on Linux.
enum ProcessEnvironment {
  /// Excludes this machine from the environment's proxy, and gives the files of downloads a private directory.
  ///
  /// Call it before any other thread exists, because a thread may be reading the environment.
  static func prepare() {
    let exceptions = EnvironmentProxy.exceptions
    // A star matches every host only if it is the whole value.
    if EnvironmentProxy.isSpecified, exceptions != "*" {
      let hosts = (exceptions.isEmpty ? [] : [exceptions]) + EnvironmentProxy.loopback
      // The lowercase name takes precedence, so this also copies a value of the uppercase name.
      setenv("no_proxy", hosts.joined(separator: ","), 1)
    }
    if let directory = PrivateTemporaryDirectory.create() { setenv("TMPDIR", directory.path, 1) }
  }
}
