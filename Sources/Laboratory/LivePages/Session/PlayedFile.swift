import Foundation
import OriginServer
import PlainText
import ScenarioEngine
import ScenarioFormat
import Scheduling

/// A scenario file that is played.
struct PlayedFile: Sendable {
  let scenario: Scenario
  let source: SourceText
  /// The moves of the user, or nil if the scenario is played at its own pace.
  let steps: StepByStep?
  private let end = Locked<(hasPlayed: Bool, verdict: PlayedMessage.Verdict?)>((false, nil))

  init(_ scenario: Scenario, _ source: SourceText, _ steps: StepByStep?) {
    (self.scenario, self.source, self.steps) = (scenario, source, steps)
  }

  /// Notes that the steps of a scenario that is played at its own pace were performed.
  func notePlayed() { end.withLock { $0.hasPlayed = true } }

  var message: PlayedMessage {
    PlayedMessage(
      name: scenario.name, title: scenario.title, isStepByStep: steps != nil,
      isVirtual: !scenario.clocks.contains(.real))
  }

  /// The message, with the next move.
  @MainActor func message(in live: LiveScenario) -> PlayedMessage {
    var message = message
    message.verdict = verdict(in: live)
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

  /// Whether the expectations hold. Nil until the scenario has ended.
  @MainActor private func verdict(in live: LiveScenario) -> PlayedMessage.Verdict? {
    let (hasPlayed, known) = end.withLock { $0 }
    if known != nil { return known }
    let hasEnded = steps.map { if case .end = $0.move(in: live) { true } else { false } } ?? hasPlayed
    guard hasEnded, live.isIdle else { return nil }
    guard scenario.clocks.contains(.real) else {
      return PlayedMessage.Verdict(
        text: "The scenario has ended. It is for the virtual clock, so its expectations are not judged here.")
    }
    // Step by step, the order is that of the file, and the times are those of the user.
    let judged = scenario.expectations.filter { steps == nil || !$0.isAboutTime }
    let failures = LiveScenario.failures(of: judged, in: live.record)
    let rest = judged.count == scenario.expectations.count ? "" : " Those about times are not judged step by step."
    let text =
      failures.isEmpty
      ? "The scenario has ended. \(judged.count.counted("expectation")) of the file hold\(judged.count == 1 ? "s" : "")."
      : "The scenario has ended, and an expectation of the file fails: \(failures[0])."
    let verdict = PlayedMessage.Verdict(ok: failures.isEmpty, text: text + rest)
    end.withLock { $0.verdict = verdict }
    return verdict
  }

  /// The action of a step with its values, as in the file.
  private func words(of step: Scenario.Step) -> String {
    let text = SourceText(path: source.path, bytes: Array(source.bytes[step.range]))
    guard case .object(let members)? = JSONValue(text) else { return "" }
    let values = members.filter { !["do", "id", "at", "after", "plus"].contains($0.key) }.sorted { $0.key < $1.key }
    if values.isEmpty, members["do"]?.text == "network" { return "network as scripted" }
    return
      ([members["do"]?.text]
      + values.map { key, value in
        if case .integer(let number) = value {
          "\(key) \(number)"
        } else {
          [key, value.text].compactMap(\.self).joined(separator: " ")
        }
      })
      .compactMap(\.self).joined(separator: " ")
  }
}

extension Scenario.Expectation {
  /// Whether the expectation compares times.
  fileprivate var isAboutTime: Bool {
    switch kind {
    case .within, .apart, .stall: true
    default: false
    }
  }
}
