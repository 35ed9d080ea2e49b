import Harness

@main
struct SearchBenchmarks {
  static func main() {
    Program(
      name: "search-benchmarks",
      summary: "Measures the search over unmodified Swift code whose jobs it can interrupt.",
      subject: "the search", effort: .full, rows: InterruptionRows.all
    ).run()
  }
}
