import Foundation
import Harness

@main
struct FetchBenchmarks {
  static func main() {
    if CommandLine.arguments.dropFirst().first == OriginProcess.argument { OriginProcess.serve() }
    // The model posts its events on main, so that measuring has a thread of its own.
    Thread {
      let origin = OriginProcess.start()
      Program(
        name: "fetch-benchmarks",
        summary:
          "Measures the socket strategy against its peers, and the model over each strategy against the bare API.",
        subject: "the first", effort: Effort(rounds: 15, turn: .milliseconds(200)),
        rows: PeerRows.all(origin) + WaitRows.all(origin) + ModelRows.all(origin)
      ).run()
      exit(0)
    }.start()
    dispatchMain()
  }
}
