import PlainText

/// The answer for one workload over one transport, as one cell of the screen.
package struct ScreenCell: Sendable, Encodable {
  /// The result of the measurements for the strategies of a cell.
  package enum Degree: String, Sendable, Encodable {
    /// The intervals prove the choice.
    case sure
    /// The strategies are visibly better, but the difference does not count yet.
    case probably
    /// Each of the strategies can be the best one.
    case undecided
    /// There are no strategies to choose from, for the reason that the text states.
    case none
  }

  package let transport: Transport
  package let degree: Degree
  /// The strategies that the cell names, in table order.
  package let strategies: [String]
  package let text: String

  /// - Parameter all: the names of the strategies that load images over the transport.
  init(_ advice: Advice, among all: [String]) {
    transport = advice.situation.transport
    let (degree, strategies): (Degree, [String]) =
      if advice.isDecided {
        (.sure, advice.choice)
      } else if !advice.probable.isEmpty {
        (.probably, advice.probable)
      } else {
        (advice.choice.isEmpty ? .none : .undecided, advice.possible)
      }
    self.degree = degree
    self.strategies = strategies
    text =
      if degree == .none {
        advice.misbehaving.isEmpty ? "undecided: too few valid blocks" : "none can be recommended"
      } else if all.count == 1 {
        "\(all[0]), the only one"
      } else {
        "\(degree.rawValue): \(Self.inShort(strategies, of: all, with: degree == .undecided ? "," : " or"))"
      }
  }

  /// Creates a cell without an answer.
  init(_ transport: Transport, without reason: String) {
    self.transport = transport
    degree = .none
    strategies = []
    text = reason
  }

  /// Returns `dataTask or async`, or `any but blocking` if that is shorter.
  static func inShort(_ choice: [String], of all: [String], with conjunction: String = " or") -> String {
    let others = all.filter { !choice.contains($0) }
    if others.isEmpty, choice.count > 1 { return "any" }
    let list =
      conjunction == "," ? choice.joined(separator: ", ") : choice.listed(with: String(conjunction.dropFirst()))
    let exclusion = "any but \(others.listed(with: "and"))"
    return choice.count > 2 && exclusion.count < list.count ? exclusion : list
  }
}
