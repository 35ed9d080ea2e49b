import Foundation
import Harness

@main
struct FetchBenchmarks {
  static func main() {
    if CommandLine.arguments.dropFirst().first == OriginProcess.argument { OriginProcess.serve() }
    if CommandLine.arguments.dropFirst().first == FloodProcess.argument { FloodProcess.serve() }
    // The model posts its events on main, so the measurement needs a separate thread.
    Thread {
      let origin = OriginProcess()
      let nginx = NginxProcess()
      Program(
        name: "fetch-benchmarks",
        summary:
          "Compares the socket strategy and the origin with their peers, the model on each strategy with the bare API, and the delay line with the network that it simulates.",
        subject: "the first contender", effort: Effort(rounds: 15, turn: .milliseconds(200)),
        rows: WaitRows.all(origin) + PeerRows.all(origin, nginx) + ServerRows.all(origin, nginx) + ModelRows.all(origin)
          + DelayRows.all(origin) + CancelRows.all(origin) + FloodRows.all(origin, FloodProcess())
      ).run()
      exit(0)
    }.start()
    dispatchMain()
  }
}
