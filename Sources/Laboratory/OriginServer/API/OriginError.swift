public import Foundation

/// Why a server could not start.
public enum OriginError: LocalizedError, Equatable, Sendable, CustomStringConvertible {
  /// Another process, or another server of this one, listens on the port.
  case portInUse(UInt16)
  /// The system refused to listen, for the reason given in its own words.
  case cannotListen(String)

  /// The same as ``description``: what `localizedDescription` returns.
  public var errorDescription: String? { description }

  /// One line for a person, with what to do about it.
  public var description: String {
    switch self {
    case .portInUse(let port): "port \(port) is in use; choose another, or 0 for any free one"
    case .cannotListen(let reason): "cannot listen on 127.0.0.1: \(reason)"
    }
  }
}
