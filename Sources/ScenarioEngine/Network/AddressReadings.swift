import EventBus
import Foundation
import OriginServer

/// What an origin makes of addresses, worked out once for all runs of a scenario: in a search that is a tenth of the work.
final class AddressReadings: Sendable {
  struct Reading: Sendable {
    let target: RequestTarget
    let reading: OriginTarget
  }

  /// Redirects can lead to ever new addresses.
  private static let most = 1000
  private let known = Locked<[String: Reading]>([:])

  func reading(of url: URL) -> Reading {
    let address = url.absoluteString
    if let known = known.withLock({ $0[address] }) { return known }
    let target = RequestTarget(of: url)
    let made = Reading(target: target, reading: target.reading)
    known.withLock { if $0.count < Self.most { $0[address] = made } }
    return made
  }
}
