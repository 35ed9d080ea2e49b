extension RowReading {
  /// The row for a terminal: the work, then one line per contender.
  public var text: String {
    let name = readings.map(\.name.count).max() ?? 0
    let lines = readings.map { reading in
      let columns = [
        reading.name.padded(to: name), reading.figure(in: unit).padded(to: 12, onTheLeft: true),
        reading.quartiles.padded(to: 17), reading.comparison.padded(to: 14, onTheLeft: true),
        reading.goal.padded(to: 14), reading.verdict,
      ]
      return "  " + columns.joined(separator: "  ").trimmingSpacesAtTheEnd()
    }
    return ([work + "  [\(self.name)]"] + lines).joined(separator: "\n")
  }
}

extension String {
  fileprivate func padded(to width: Int, onTheLeft: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - count))
    return onTheLeft ? space + self : self + space
  }

  fileprivate func trimmingSpacesAtTheEnd() -> String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
