import Foundation
import Harness

/// The cost of waiting: the processor time of this process while four requests wait two seconds for their responses. This is the first
/// row, because URLSession needs less processor time on connections that were used before.
enum WaitRows {
  static func all(_ origin: OriginProcess) -> [Row] {
    let address = origin.base + "/slow"
    return [
      Row(
        "wait", "busy processors while 4 requests wait 2 s", unit: .cores,
        [
          .count("socket", atMost: 0.05) { cores(Fetches.strategy("socket", address)) }
        ]
          + ["dataTask", "downloadTask", "async", "blocking"].map { name in
            .count(name) { cores(Fetches.strategy(name, address)) }
          })
    ]
  }

  private static func cores(_ fetch: @escaping ClosedLoad.Fetch) -> Double? {
    let before = processTime
    let time = ContinuousClock().measure { ClosedLoad.work(fetch)(4) }
    return (processTime - before) / time
  }

  private static var processTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
