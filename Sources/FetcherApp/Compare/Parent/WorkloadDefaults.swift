import Comparison

/// The sizes of the workloads: small enough that the whole comparison takes less than two minutes on two cores.
enum WorkloadDefaults {
  static func settings(_ workload: Workload) -> WorkloadSettings {
    switch workload {
    case .list: WorkloadSettings(.list, images: 100, size: 10_000, latency: 0.02, inFlight: 6)
    case .gallery: WorkloadSettings(.gallery, images: 20, size: 4_000_000, latency: 0.005, inFlight: 4)
    case .scroll: WorkloadSettings(.scroll, images: 42, size: 100_000, latency: 0.02, inFlight: 42)
    case .wait: WorkloadSettings(.wait, images: 4, size: 10_000, latency: 0.2, inFlight: 4)
    case .flaky: WorkloadSettings(.flaky, images: 50, size: 10_000, latency: 0.005, inFlight: 6)
    case .stall: WorkloadSettings(.stall, images: 20, size: 10_000, latency: 0.03, inFlight: 20)
    // What another's server can bear: two at a time.
    case .url: WorkloadSettings(.url, images: 4, size: 0, latency: 0, inFlight: 2)
    }
  }

  /// Seconds that one run takes about, start of the process included, for the time left.
  static func seconds(_ settings: WorkloadSettings) -> Double {
    let images = Double(settings.images)
    let rounds = (images / Double(max(1, settings.inFlight))).rounded(.up)
    let transfer = images * (0.0006 + Double(settings.size) / 400e6)
    let arrivals = settings.workload == .scroll ? images * 0.005 : 0
    return 0.06 + max(rounds * settings.latency, transfer, arrivals)
  }
}
