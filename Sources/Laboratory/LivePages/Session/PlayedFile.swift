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
  /// A result, with whether the expectations hold, or nil if they are not judged.
  private typealias Verdict = (ok: Bool?, text: String)

  private let end = Locked<(isComplete: Bool?, verdict: Verdict?)>((nil, nil))

  init(_ scenario: Scenario, _ source: SourceText, _ steps: StepByStep?) {
    (self.scenario, self.source, self.steps) = (scenario, source, steps)
  }

  /// Notes the end of a scenario that is played at its own pace, and whether all of its steps were performed.
  func noteEnd(isComplete: Bool) { end.withLock { $0.isComplete = isComplete } }

  var message: PlayedMessage {
    PlayedMessage(
      name: scenario.name, title: scenario.title, isStepByStep: steps != nil,
      isVirtual: !scenario.clocks.contains(.real))
  }

  /// The message, with the next move.
  @MainActor func message(in live: LiveScenario) -> PlayedMessage {
    var message = message
    let verdict = verdict(in: live)
    (message.ok, message.verdict) = (verdict?.ok, verdict?.text)
    guard let steps else { return message }
    message.isReady = true
    switch steps.move(in: live) {
    case .step(let step, _):
      message.move = "step \(steps.next + 1) of \(steps.steps.count): \(words(of: step))"
    case .response(let held):
      let image = scenario.images.first { $0.path.text == held.path.text }?.id ?? held.path.text
      message.move = "the response of \(image) arrives, at the file's pace \(held.latency.spelled) after its request"
    case .wait: (message.move, message.isReady) = ("waiting for an event", false)
    case .end: (message.move, message.isReady) = ("no more steps", false)
    }
    return message
  }

  /// Whether the expectations hold. Nil until the scenario has ended.
  @MainActor private func verdict(in live: LiveScenario) -> Verdict? {
    let (isComplete, known) = end.withLock { $0 }
    if known != nil { return known }
    if isComplete == false { return (false, "The scenario did not end in time.") }
    let hasEnded = steps.map { if case .end = $0.move(in: live) { true } else { false } } ?? (isComplete != nil)
    guard hasEnded, live.isIdle else { return nil }
    guard scenario.clocks.contains(.real) else {
      return (nil, "The scenario has ended. It is for the virtual clock, so its expectations are not judged here.")
    }
    let judged = scenario.expectations.filter { expectation in
      switch expectation.kind {
      // The session measures neither leaks nor stalls.
      case .leaks, .stall: false
      // Step by step, the times are those of the user.
      case .within, .apart: steps == nil
      default: true
      }
    }
    guard !judged.isEmpty else {
      return (nil, "The scenario has ended. It has no expectation that can be judged here.")
    }
    let rest = judged.count == scenario.expectations.count ? "" : " The others need a run with `fetcher run`."
    if let failure = LiveScenario.failures(of: judged, in: live.record).first {
      // An event that still arrives can meet the expectation.
      return (false, "The scenario has ended, and an expectation of the file fails: \(failure).\(rest)")
    }
    let count = "\(judged.count.counted("expectation")) of the file hold\(judged.count == 1 ? "s" : "")"
    let verdict: Verdict = (true, "The scenario has ended. \(count).\(rest)")
    end.withLock { $0.verdict = verdict }
    return verdict
  }

  /// The action of a step with its values, as in the file.
  private func words(of step: Scenario.Step) -> String {
    let text = SourceText(path: source.path, bytes: Array(source.bytes[step.range]))
    guard case .object(let members)? = JSONValue(text) else { return "" }
    let values = members.filter { !["do", "id", "at", "after", "plus"].contains($0.key) }.sorted { $0.key < $1.key }
    if values.isEmpty, members["do"]?.text == "network" { return "network as scripted" }
    let words = values.flatMap { key, value in
      let text = if case .integer(let number) = value { "\(number)" } else { value.text }
      return [key, text]
    }
    return ([members["do"]?.text] + words).compactMap(\.self).joined(separator: " ")
  }
}
