import Foundation
import Harness

@main
struct FetchBenchmarks {
  static func main() {
    if CommandLine.arguments.dropFirst().first == OriginProcess.argument { OriginProcess.serve() }
    // The model posts its events on main, so that measuring has a thread of its own.
    Thread {
      let origin = OriginProcess()
      let nginx = NginxProcess()
      Program(
        name: "fetch-benchmarks",
        summary:
          "Measures the socket strategy and the origin against their peers, and the model over each strategy against the bare API.",
        subject: "the first", effort: Effort(rounds: 15, turn: .milliseconds(200)),
        rows: WaitRows.all(origin) + PeerRows.all(origin, nginx) + ServerRows.all(origin, nginx) + ModelRows.all(origin)
      ).run()
      exit(0)
    }.start()
    dispatchMain()
  }
}
