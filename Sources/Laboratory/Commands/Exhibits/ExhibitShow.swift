import CommandLineTool
import FetcherModel
import Foundation
import OriginServer
import PlainText
import ScenarioEngine
import ScenarioFormat

/// Runs an exhibit and its remedy, each in a child process with a watchdog. Prints the results and the explanation.
struct ExhibitShow: Sendable {
  let exhibit: Exhibit
  let child: ChildProcess
  let origin: OriginServer
  let output: Output

  /// The time limit for a remedy. A remedy that takes longer counts as failed.
  private static let remedyLimit = Duration.seconds(300)

  /// - Throws: a failure if a child process cannot be started or the remedy fails.
  func run() async throws(CommandFailure) {
    output.line(output.style(.bold, "\(exhibit.name): \(exhibit.strategy.capabilities.note)"))
    try await show(exhibit.name, limit: exhibit.limit)
    try await show(exhibit.remedy, limit: Self.remedyLimit)
    output.line(exhibit.explanation)
  }

  private func show(_ name: String, limit: Duration) async throws(CommandFailure) {
    let words = [
      ExhibitCommand.command.name, ExhibitCommand.name.name, exhibit.name, ExhibitCommand.contender.name, name,
      ExhibitCommand.base.name, origin.baseURL.absoluteString,
    ]
    let outcome = try await child.run(words, limit: limit)
    let ends = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    let last = Duration.milliseconds(ends.max() ?? 0).inSeconds.fixed(2)
    let load = exhibit.load == .together ? "at once" : "each cancelled when its response is due"
    let story = "\(exhibit.requests) requests, \(load): \(ends.count) ended, the last after \(last) s"
    switch outcome.end {
    case .exited(0): say(name, story)
    case .overdue where name == exhibit.name:
      say(name, "\(story); then the watchdog ended the process after \(limit.inSeconds.fixed(0)) s")
    case .signal where name == exhibit.name: say(name, "\(story); then the process \(outcome.end)")
    case .overdue: throw .failed("\(name) did not finish within \(limit.inSeconds.fixed(0)) s")
    case let end: throw .failed("the child process for \(name) \(end)")
    }
  }

  private func say(_ name: String, _ text: String) {
    let width = max(exhibit.name.count, exhibit.remedy.count)
    output.line(name.padded(to: width) + "  " + text)
  }
}
