import Foundation
import Harness

/// The number of requests from wrk that the origin answers, compared with nginx. There are no rows if wrk is not installed.
enum ServerRows {
  private static let connections = 64

  static func all(_ origin: OriginProcess, _ nginx: NginxProcess?) -> [Row] {
    guard let wrk = ChildProcess.path(of: "wrk") else { return [] }
    let servers = [("OriginServer", origin.base)] + (nginx.map { [("nginx, one worker", $0.base)] } ?? [])
    return [("1k", "1 KB"), ("picture", "23 KB")].map { path, size in
      Row(
        "server-\(path)", "responses of \(size) to wrk, \(connections) connections", unit: .requests,
        servers.map { name, base in .count(name) { requests(wrk, "\(base)/\(path)") } })
    }
  }

  private static func requests(_ wrk: String, _ address: String) -> Double? {
    let printed = ChildProcess.output(of: wrk, ["-t1", "-c\(connections)", "-d5s", address])
    require(!printed.contains("Non-2xx") && !printed.contains("Socket errors"), "wrk: \(printed)")
    let words = printed.split { $0.isWhitespace }
    return words.firstIndex(of: "Requests/sec:").flatMap { Double(words[$0 + 1]) }
  }
}
