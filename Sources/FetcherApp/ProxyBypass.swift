import Foundation

/// Keeps the loopback interface out of the proxy that the environment may name: a proxy has a loopback of its own.
enum ProxyBypass {
  /// Adds the loopback to `no_proxy` and `NO_PROXY`. Call it before there is another thread.
  static func adopt() {
    let environment = ProcessInfo.processInfo.environment
    // Who reads both prefers the small letters; a value that was only in capitals must survive that.
    for (name, other) in [("no_proxy", "NO_PROXY"), ("NO_PROXY", "no_proxy")] {
      setenv(name, list(addedTo: environment[name] ?? environment[other]), 1)
    }
  }

  /// The list with the loopback in it. A star, which stands for every host, counts only alone.
  static func list(addedTo existing: String?) -> String {
    guard let existing, !existing.isEmpty else { return loopback }
    return existing == "*" ? existing : existing + "," + loopback
  }

  private static let loopback = "127.0.0.1,localhost,::1"
}
