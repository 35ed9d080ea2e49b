import Harness

/// The table, from top to bottom.
enum AllRows {
  static var all: [Row] {
    InlineRows.all + InterferenceRows.all + KeyedRows.all + QueueRows.all + FairnessRows.all + StreamRows.all
      + messageRows + SubscribeRows.all + PosterRows.all + MemoryRows.all + CostRows.all + ExplorerRows.all
      + ScenarioRows.all
  }

  private static var messageRows: [Row] {
    if #available(macOS 26, *) { MessageRows.all } else { [] }
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
