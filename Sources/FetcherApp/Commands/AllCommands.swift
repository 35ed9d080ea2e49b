extension Application {
  /// Every word of the command line, in the order of the help.
  static let commands = [
    DemoCommand.command, FetchCommand.command, SystemCommand.command, RunCommand.command, CheckCommand.command,
    ExploreCommand.command, LessonCommand.command,
    CompareCommand.command, StrategiesCommand.command, OriginCommand.command, CompletionsCommand.command,
    ManualCommand.command, MeasureCommand.command, ExhibitCommand.command,
  ]
}
