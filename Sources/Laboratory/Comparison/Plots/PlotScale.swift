/// How an axis writes its numbers: in one unit, with as many decimals as its ticks need.
struct PlotScale {
  private let scale: ValueScale
  private let decimals: Int

  init(_ scale: ValueScale, most: Double) {
    self.scale = scale
    let shown = scale.shown(most)
    decimals = shown >= 20 ? 0 : shown >= 2 ? 1 : 2
  }

  init(_ unit: Unit, most: Double) { self.init(ValueScale(unit, [most]), most: most) }

  /// What the numbers are.
  var title: String {
    switch scale.unit {
    case .cpu: "CPU seconds for 1,000 images"
    case .cores: "cores busy"
    case .count: "count"
    case .rate, .bytes, .seconds, .share: scale.symbol
    }
  }

  func shown(_ value: Double) -> Double { scale.shown(value) }

  /// A tick, without zeros at its end.
  func text(_ shown: Double) -> String {
    let text = shown.decimals(decimals)
    guard text.contains(".") else { return text }
    let short = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(short.reversed())
  }
}
