import EventBus
import FetcherModel
import Foundation
import Harness
import SocketStrategy

/// Fetches from one server with the socket strategy, while another server sends endless bodies in chunks of one byte over six connections.
enum FloodRows {
  /// Enough fetches to make the start of the hostile responses negligible.
  private static let fetches = 500

  static func all(_ origin: OriginProcess, _ flood: FloodProcess) -> [Row] {
    let fetch = Fetches.strategy("socket", origin.base + "/picture")
    return [("flood", "6 at once", ClosedLoad.inFlight), ("flood-1", "one after the other", 1)].map {
      name, order, inFlight in
      Row(
        name, "fetch of 23 KB, \(order), next to a hostile server",
        [
          .ours("socket", operations: fetches) {
            besideFlood(flood, ClosedLoad.work(fetch, inFlight: inFlight))
          },
          .floor("socket, without the hostile server", atMost: 2, operations: fetches) {
            let work = ClosedLoad.work(fetch, inFlight: inFlight)
            return { work($0 * fetches) }
          },
        ])
    }
  }

  /// Keeps six responses of the hostile server in transit during the work.
  private static func besideFlood(_ flood: FloodProcess, _ work: @escaping Contender.Work) -> Contender.Work {
    guard let strategy = Fetches.strategies.first(where: { $0.name == .socket }), let url = URL(string: flood.address)
    else {
      fatalError("there is no strategy socket")
    }
    return { repetitions in
      let ended = DispatchSemaphore(value: 0)
      let floods = (0..<ClosedLoad.inFlight).map { _ in
        let begun = DispatchSemaphore(value: 0)
        var request = FetchRequest(url: url, limits: FetchLimits(maximumBytes: .max))
        request.responded = { _ in begun.signal() }
        let fetch = strategy.fetch(request) { _ in ended.signal() }
        begun.wait()
        return fetch
      }
      work(repetitions * fetches)
      for flood in floods { flood.cancel() }
      for _ in floods { ended.wait() }
    }
  }
}
