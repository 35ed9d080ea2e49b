import Harness

/// The table, from top to bottom.
enum AllRows {
  static var all: [Row] {
    InlineRows.all + KeyedRows.all + QueueRows.all + StreamRows.all + SubscribeRows.all + PosterRows.all
      + MemoryRows.all
      + CostRows.all
      + ScenarioRows.all
  }

  static func matching(_ filter: String?) throws(UsageError) -> [Row] {
    guard let filter else { return all }
    let found = all.filter { $0.name.contains(filter) }
    guard !found.isEmpty else {
      let names = all.map(\.name).joined(separator: ", ")
      throw UsageError(description: "No row's name contains \(filter). The rows are \(names).")
    }
    return found
  }
}
