import Foundation
import Harness

/// What it costs to wait: the processor time of this process while four requests wait two seconds for their answers.
enum WaitRows {
  static func all(_ origin: OriginProcess) -> [Row] {
    let address = origin.base + "/slow"
    return [
      Row(
        "wait", "processors busy while 4 requests wait 2 s", unit: .cores,
        [
          .count("socket", atMost: 0.05) { cores(Fetches.strategy("socket", address)) },
          .count("AsyncHTTPClient") { cores(Fetches.asyncHTTPClient(address)) },
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
