import Bytes

/// Where a failing run is decided: from each of its choices it was ended at random many times, and some of the ends fail.
public struct PointOfNoReturn: Sendable, Equatable {
  /// How many of the ends fail after one item.
  public struct Share: Sendable, Equatable {
    /// The number of the item whose choice was the last that was made as in the failing run; 0 before the first.
    public let step: Int
    /// What the item did.
    public let name: String
    /// From 0 to 1.
    public let failing: Double
  }

  /// With fewer a share says nothing.
  static let fewestEnds = 50
  /// The two ends of the run, and one between them.
  static let fewestShares = 3
  private static let width = 20
  /// Rows that differ less from the one above them are left out.
  private static let leastDifference = 0.1

  /// How many random ends there were after each choice.
  public let ends: Int
  /// One for the start, one for the last choice, and one for each choice between them, or for those around the jump where all
  /// would have cost too much.
  public let shares: [Share]

  /// The index of the share that is the most above the one before; nil where none is.
  var jumpIndex: Int? {
    let rises = shares.indices.dropFirst().map { ($0, shares[$0].failing - shares[$0 - 1].failing) }
    guard let greatest = rises.max(by: { $0.1 < $1.1 }), greatest.1 > 0 else { return nil }
    return greatest.0
  }

  /// The item after which the share of failing ends has grown most.
  public var jump: Share? { jumpIndex.map { shares[$0] } }
}

extension PointOfNoReturn: CustomStringConvertible {
  /// A bar for each item that changes something, in 80 characters.
  public var description: String {
    var (lines, shown) = (["The share of \(ends) random ends that fail, after each item with a choice:"], -1.0)
    let mark = jumpIndex
    for (index, share) in shares.enumerated() {
      let isNews = abs(share.failing - shown) >= Self.leastDifference
      guard isNews || index == mark || index == shares.count - 1 || index + 1 == mark else { continue }
      shown = share.failing
      let bar = String(repeating: "█", count: Int((share.failing * Double(Self.width)).rounded()))
      let percent = String(Int((share.failing * 100).rounded())).padded(to: 3, .right)
      var line = "\(String(share.step).padded(to: 6, .right))  \(percent) %"
      if index == mark {
        line += "  \(bar.padded(to: Self.width))  ← \(share.name)"
      } else if !bar.isEmpty {
        line += "  " + bar
      }
      lines.append(line.cut(to: 80))
    }
    return lines.joined(separator: "\n")
  }
}
