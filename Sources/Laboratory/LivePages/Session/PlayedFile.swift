import Foundation
import OriginServer
import PlainText
import ScenarioEngine
import ScenarioFormat

/// A scenario file that is played.
struct PlayedFile: Sendable {
  let scenario: Scenario
  let source: SourceText
  /// The moves of the user, or nil if the scenario is played at its own pace.
  let steps: StepByStep?

  var message: PlayedMessage {
    PlayedMessage(name: scenario.name, title: scenario.title, isStepByStep: steps != nil)
  }

  /// The message, with the next move.
  @MainActor func message(in live: LiveScenario) -> PlayedMessage {
    var message = message
    guard let steps else { return message }
    message.isReady = true
    switch steps.move(in: live) {
    case .step(let step, _):
      message.move = "step \(steps.next + 1) of \(steps.count): \(words(of: step))"
    case .response(let held):
      let image = scenario.images.first { $0.path.text == held.path.text }?.id ?? held.path.text
      message.move = "the response of \(image) arrives, at the file's pace \(held.latency.spelled) after its request"
    case .wait: (message.move, message.isReady) = ("waiting for an event", false)
    case .end: (message.move, message.isReady) = ("no more steps", false)
    }
    return message
  }

  /// The action of a step with its values, as in the file.
  private func words(of step: Scenario.Step) -> String {
    let text = SourceText(path: source.path, bytes: Array(source.bytes[step.range]))
    guard case .object(let members)? = JSONValue(text) else { return "" }
    let values = members.filter { !["do", "id", "at", "after", "plus"].contains($0.key) }.sorted { $0.key < $1.key }
    return ([members["do"]?.text] + values.map { [$0.key, $0.value.text].compactMap(\.self).joined(separator: " ") })
      .compactMap(\.self).joined(separator: " ")
  }
}
