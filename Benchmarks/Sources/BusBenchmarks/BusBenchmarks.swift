import Harness

@main
struct BusBenchmarks {
  static func main() {
    Program(
      name: "bus-benchmarks",
      summary: "Measures the bus against its peers, and `fetcher` on all scenarios, in one run.",
      subject: "EventBus", effort: .full, rows: AllRows.all
    ).run()
  }
}
