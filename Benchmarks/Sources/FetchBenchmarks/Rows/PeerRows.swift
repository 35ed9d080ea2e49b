import Harness

/// The socket strategy compared with other clients that fetch small bodies over the same number of connections.
enum PeerRows {
  static func all(_ origin: OriginProcess, _ nginx: NginxProcess?) -> [Row] {
    let client = AsyncHTTPClientPeer()
    let rows = { (suffix: String, server: String, base: String) in
      [
        row(
          "1k\(suffix)", "fetch of 1 KB\(server), 6 at once", "\(base)/1k", client, dataTask: suffix.isEmpty ? 5 : nil),
        row("20k\(suffix)", "fetch of 23 KB\(server), 6 at once", "\(base)/picture", client),
      ]
    }
    return rows("", "", origin.base) + (nginx.map { rows("-nginx", " from nginx", $0.base) } ?? [])
  }

  private static func row(
    _ name: String, _ work: String, _ address: String, _ client: AsyncHTTPClientPeer?, dataTask: Double? = nil
  ) -> Row {
    let load = { (fetch: @escaping ClosedLoad.Fetch) in { ClosedLoad.work(fetch) } }
    let contenders: [Contender] = [
      .ours("socket", load(Fetches.strategy("socket", address))),
      .peer("dataTask", atLeast: dataTask, load(Fetches.strategy("dataTask", address))),
      .peer("curl --parallel, including the start of its process", operations: curlRequests) { curl(address) },
    ]
    return Row(
      name, work,
      contenders + (client.map { client in [.peer("AsyncHTTPClient", atLeast: 1) { client.work(address) }] } ?? []))
  }

  /// Enough requests to make the start of the process, about 10 ms, negligible.
  private static let curlRequests = 2000

  private static func curl(_ address: String) -> Contender.Work {
    { repetitions in
      for _ in 0..<repetitions {
        _ = ChildProcess.output(
          of: "/usr/bin/env",
          [
            "curl", "-s", "--fail", "--parallel", "--parallel-immediate", "--parallel-max", "\(ClosedLoad.inFlight)",
            "-o", "/dev/null", "\(address)?[1-\(curlRequests)]",
          ])
      }
    }
  }
}
