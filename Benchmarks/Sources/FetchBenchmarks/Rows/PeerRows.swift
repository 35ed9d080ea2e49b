import Foundation
import Harness

/// The socket strategy beside others that fetch small bodies, over as many connections.
enum PeerRows {
  static func all(_ origin: OriginProcess) -> [Row] {
    [
      row("1k", "fetch of 1 KB, 6 at once", origin.base + "/1k", times: 5),
      row("20k", "fetch of 23 KB, 6 at once", origin.base + "/picture", times: nil),
    ]
  }

  private static func row(_ name: String, _ work: String, _ address: String, times: Double?) -> Row {
    let load = { (fetch: @escaping ClosedLoad.Fetch) in { ClosedLoad.work(fetch) } }
    return Row(
      name, work,
      [
        .ours("socket", load(Fetches.strategy("socket", address))),
        .peer("dataTask", atLeast: times, load(Fetches.strategy("dataTask", address))),
        .peer("curl --parallel, the start of its process included", operations: curlRequests) { curl(address) },
      ])
  }

  /// So many that the start of the process, some 10 ms, matters little.
  private static let curlRequests = 2000

  private static func curl(_ address: String) -> Contender.Work {
    { repetitions in
      for _ in 0..<repetitions {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
          "curl", "-s", "--fail", "--parallel", "--parallel-immediate", "--parallel-max", "\(ClosedLoad.inFlight)",
          "-o",
          "/dev/null", "\(address)?[1-\(curlRequests)]",
        ]
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { fatalError("curl cannot be started: \(error)") }
        process.waitUntilExit()
        require(process.terminationStatus == 0, "curl failed.")
      }
    }
  }
}
