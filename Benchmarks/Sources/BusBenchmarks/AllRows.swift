import Harness

/// All rows, in the order of the table.
enum AllRows {
  static var all: [Row] {
    InlineRows.all + InterferenceRows.all + KeyedRows.all + QueueRows.all + FairnessRows.all + StreamRows.all
      + messageRows + SubscribeRows.all + SmallBusRows.all + PosterRows.all + MemoryRows.all + CostRows.all
      + ExplorerRows.all + PolicyRows.all + ScenarioRows.all
  }

  private static var messageRows: [Row] {
    if #available(macOS 26, *) { MessageRows.all } else { [] }
  }
}
