import Harness

/// The cost of the model and the bus for each strategy, compared with the strategy's API in a plain loop.
enum ModelRows {
  static func all(_ origin: OriginProcess) -> [Row] {
    rows("model", "images of 23 KB", origin.base + "/picture")
      + rows("model-remote", "images of 23 KB, 20 ms latency,", origin.base + "/remote-picture")
  }

  private static func rows(_ name: String, _ work: String, _ address: String) -> [Row] {
    ["blocking", "dataTask", "downloadTask", "async", "socket"].map { strategy in
      Row(
        "\(name)-\(strategy)", "\(work) with the model and the bus, `\(strategy)`, 6 at once",
        [
          .ours("model and bus") { ClosedLoad.work(Fetches.model(strategy, address)) },
          .floor(strategy == "socket" ? "the strategy alone" : "bare API", atMost: 1.05) {
            ClosedLoad.work(BareAPI.fetch(strategy, address))
          },
        ])
    }
  }
}
