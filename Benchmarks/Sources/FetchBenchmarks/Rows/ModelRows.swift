import Harness

/// What the model and the bus add to each strategy, against the API it stands on in a plain loop.
enum ModelRows {
  static func all(_ origin: OriginProcess) -> [Row] {
    let address = origin.base + "/picture"
    return ["blocking", "dataTask", "downloadTask", "async", "socket"].map { name in
      Row(
        "model-\(name)", "images of 23 KB with the model and the bus, `\(name)`, 6 at once",
        [
          .ours("model and bus") { ClosedLoad.work(Fetches.model(name, address)) },
          .floor(name == "socket" ? "the strategy alone" : "bare API", atMost: 1.05) {
            ClosedLoad.work(BareAPI.fetch(name, address))
          },
        ])
    }
  }
}
