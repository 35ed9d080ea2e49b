import Foundation

/// The wording of figures and goals, shared by all reports.
extension Reading {
  func figure(in unit: Unit) -> String {
    guard let spread else { return "not counted here" }
    return "\(Self.number(spread.median)) \(unit.rawValue)"
  }

  var quartiles: String {
    guard let spread, spread.lowerQuartile != spread.upperQuartile else { return "" }
    return "\(Self.number(spread.lowerQuartile)) – \(Self.number(spread.upperQuartile))"
  }

  var comparison: String {
    guard let ratio else { return "" }
    return Self.ratio(ratio) + (role == .peer ? " as fast" : " its time")
  }

  var goal: String {
    guard let bound else { return "" }
    switch role {
    case .ours: return "at most \(Self.trimmed(bound))"
    case .peer: return "at least \(Self.trimmed(bound))x"
    case .floor: return "at most \(Self.trimmed(bound))x"
    }
  }

  var verdict: String {
    switch isMet {
    case true?: "met"
    case false?: "MISSED"
    case nil: ""
    }
  }

  private static func number(_ value: Double) -> String {
    if abs(value) < 1, value != 0 { return String(format: "%.2f", value) }
    return String(format: abs(value) < 100 && value != value.rounded() ? "%.1f" : "%.0f", value)
  }

  private static func ratio(_ value: Double) -> String {
    String(format: value < 10 ? "%.2fx" : value < 100 ? "%.1fx" : "%.0fx", value)
  }

  private static func trimmed(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }
}
