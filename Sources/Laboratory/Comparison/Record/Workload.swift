/// A situation that people have, and that strategies are measured in.
package enum Workload: String, Sendable, CaseIterable, Codable {
  case list, gallery, scroll, wait, flaky, stall
  /// Images of a server that the user names.
  case url

  /// Those that need no server of the user's.
  package static let standard = allCases.filter { $0 != .url }

  /// What it is like, in a few words.
  package var title: String {
    switch self {
    case .list: "many small images"
    case .gallery: "few large images"
    case .scroll: "two thirds of the rows leave the screen before their image arrives"
    case .wait: "waiting for a slow server"
    case .flaky: "a fifth of the answers fail, in five ways"
    case .stall: "many slow answers while the main queue has to stay free"
    case .url: "images of your server"
    }
  }

  /// What decides between strategies, most important first.
  package var deciding: [Metric] {
    switch self {
    case .list, .url: [.throughput, .cpu]
    case .gallery: [.throughput, .memory]
    case .scroll: [.wasted, .lastRow]
    case .wait: [.waiting, .throughput]
    case .flaky: [.arrived, .kinds, .lost]
    case .stall: [.poolStall, .mainStall]
    }
  }

  /// The columns of its table.
  package var columns: [Metric] {
    switch self {
    case .list: [.throughput, .cpu, .memory, .threads, .connections]
    case .gallery: [.throughput, .cpu, .memory, .temporary, .mainStall, .threads]
    case .scroll: [.wasted, .wastedRequests, .lastRow, .cpu, .mainStall, .connections]
    case .wait: [.waiting, .throughput, .memory, .threads, .connections]
    case .flaky: [.arrived, .kinds, .retries, .lost, .connections]
    case .stall: [.poolStall, .mainStall, .throughput, .threads]
    case .url: [.throughput, .cpu, .memory, .threads]
    }
  }

  /// Whether the times of single images are reported.
  package var showsLatency: Bool { self == .list || self == .url }
}
