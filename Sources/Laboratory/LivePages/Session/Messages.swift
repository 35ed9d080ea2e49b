import RunPages
import ScenarioEngine
import ScenarioFormat

/// The whole state of a session.
struct SessionMessage: Encodable {
  let program: String
  let title: String
  let summary: String
  let variant: String?
  /// The programs, each with its `name` and `title`.
  let programs: [[String: String]]
  let strategies: [String]
  let strategy: String
  /// The images, each with its `id` and `path`, and the origin of the program's scenario, from which the page makes
  /// `origin` steps.
  let images: [[String: String]]
  let origin: JSONValue
  /// The steps of the user that the network still follows: the last step `network`, and the last step `origin` of each
  /// path and of all paths.
  let changes: [JSONValue]
  /// The scenarios that the page can play, each with its `name` and `title`.
  let scenarios: [[String: String]]
  let played: PlayedMessage?
  let run: RunGrowth
  let screens: ScreensMessage?
  let remark: Remark?
  let alarms: [Remark]
  let hasTools: Bool
}

/// Rows that were added, and the sentences about them.
struct RowsMessage: Encodable {
  let run: RunGrowth
  let remarks: [Remark]
}

/// A scenario that is played.
struct PlayedMessage: Encodable, Equatable {
  let name: String
  let title: String
  let isStepByStep: Bool
  /// Whether the scenario is only for the virtual clock.
  let isVirtual: Bool
  /// The next move of a scenario that the user plays step by step.
  var move = ""
  /// Whether the user can make the next move now.
  var isReady = false
  /// The result of a scenario that has ended.
  var verdict: String?
  /// Whether the expectations of the file hold, or nil if they are not judged.
  var ok: Bool?
}

/// A session that was recorded.
struct RecordingMessage: Encodable {
  /// The tab that asked for the file.
  let tab: String
  let file: String
  let steps: Int
  /// The number of steps that were recorded after an event instead of at a time.
  let afterEvents: Int
  /// The path of the saved file, or nil if the tab downloads it.
  var path: String?
}

/// The start or the result of a tool.
struct ToolMessage: Encodable {
  let tool: String
  let isRunning: Bool
  var ok = false
  var sentences: [String] = []
  /// The reason why there is no result, or nil.
  var error: String?
  /// The page that plays back the runs, with its position, or nil.
  var page: String?
}
