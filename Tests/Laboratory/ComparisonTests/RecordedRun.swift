import Comparison
import PlainText
import SeededNumbers

/// A synthetic comparison. Its numbers come from a seed, so that the correct conclusions are known.
enum RecordedRun {
  static let contenders = [
    Contender("dataTask", .reference), .control(of: "dataTask"), Contender("blocking", .strategy),
    Contender("async", .strategy), .bare,
  ]

  /// The true value of each contender, as a multiple of the reference's.
  static let factors = ["dataTask": 1.0, "dataTask (2)": 1.0, "blocking": 0.4, "async": 1.0, "bare API": 1.05]

  static func record(blocks: Int = 10, seed: UInt64 = 3, latencies: Int = 10) -> ComparisonRecord {
    var machine = ComparisonRecord.Machine(cores: 2, system: "Linux 6.1 x86_64", swift: "6.3", build: "release")
    machine.loadBefore = 0.1
    machine.loadAfter = 1.2
    let settings = ComparisonRecord.Settings(
      seed: seed, blocks: blocks, contenders: contenders,
      workloads: [
        WorkloadSettings(.list, images: 100, size: 10_000, latency: 0.02, inFlight: 6),
        WorkloadSettings(.scroll, images: 90, size: 100_000, latency: 0.02, inFlight: 90),
      ])
    var record = ComparisonRecord(program: "0.1.0", machine: machine, settings: settings)
    record.seconds = 61
    var generator = SplitMix64(seed: seed)
    for workload in [Workload.list, .scroll] {
      for block in 0...blocks {
        let speed = Double.random(in: 0.8...1.2, using: &generator)
        for (position, contender) in contenders.shuffled(using: &generator).enumerated() {
          guard workload == .list || contender.role != .bare else { continue }
          let noise = { (value: Double) in
            (value * Double.random(in: 0.98...1.02, using: &generator) * 1000).rounded() / 1000
          }
          var sample = Sample(workload: workload, block: block, position: position, contender: contender.name)
          let factor = factors[contender.name] ?? 1
          if workload == .list {
            sample[.throughput] = noise(250 * factor * speed)
            sample[.cpu] = noise(3 / factor)
            sample[.connections] = 6
            sample.latencies = (0..<latencies).map { _ in noise(22 / factor) / 1000 }
          } else {
            sample[.wasted] = contender.name == "blocking" ? noise(2e6) : 0
            sample[.lastRow] = noise(0.1 / factor)
          }
          record.samples.append(sample)
        }
      }
    }
    for (strategy, verdict) in [("blocking", BehaviorCell.Verdict.breaks), ("dataTask", .holds), ("async", .other)] {
      record.behavior.append(
        BehaviorCell(
          scenario: "error-page", title: "A page instead of a picture", strategy: strategy, verdict: verdict,
          failure: nil, why: verdict == .holds ? nil : "For the network a 404 is a success."))
    }
    return record
  }
}

extension ComparisonRecord {
  /// Returns the record with each workload over https as well. There, no strategy for http alone was measured, and
  /// `change` is applied to each sample.
  func measuredOverHTTPS(
    _ transport: Transport = .https2, _ change: (inout Sample) -> Void = { _ in }
  ) -> ComparisonRecord {
    var record = self
    record.settings.front = "nginx/1.22.1"
    record.settings.workloads = settings.workloads.flatMap { settings in
      var secure = settings
      secure.transport = transport
      return [settings, secure]
    }
    let plain = settings.contenders.filter { $0.loadsHTTPS == false }.map(\.name)
    for sample in samples where !plain.contains(sample.contender) {
      var secure = sample
      secure.transport = transport
      secure[.connections] = 6
      secure[.handshakes] = 5
      secure.protocols = ["HTTP/2.0"]
      change(&secure)
      record.samples.append(secure)
    }
    return record
  }
}
