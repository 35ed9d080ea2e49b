import CommandLineTool
import Comparison
import EventBus
import Foundation
import PlainText
import ScenarioEngine
import ScenarioFormat

/// Writes a comparison in the requested format.
struct ComparisonWriter: Sendable {
  /// The format of the standard output.
  enum Shape: Sendable { case text, json, csv, markdown }

  let shape: Shape
  /// Whether the text has more than the screen.
  let hasDetails: Bool
  /// The path of the HTML page, or nil if none is requested.
  let page: String?
  let behavior: BehaviorTable.Extent
  let conditions: [FailCondition]
  let context: CommandContext
  private let files: ResultFiles

  init(_ arguments: ParsedArguments, _ conditions: [FailCondition], _ context: CommandContext) throws(UsageError) {
    let shapes: [(option: CommandOption, shape: Shape)] = [
      (CompareOptions.json, .json), (CompareOptions.csv, .csv), (CompareOptions.markdown, .markdown),
    ]
    let option = try arguments.shape(of: "compare", shapes.map(\.option))
    shape = shapes.first { $0.option == option }?.shape ?? .text
    hasDetails = arguments.has(CompareOptions.details)
    page = arguments[CompareOptions.html]
    files = ResultFiles(arguments, context)
    // If the user selects workloads, the report contains their tables, and only one sentence about the scenarios.
    behavior =
      arguments.has(CompareOptions.behavior) ? .all : arguments.has(CompareOptions.workload) ? .none : .failing
    self.conditions = conditions
    self.context = context
  }

  /// Verifies, before the first measurement, that the page can be written.
  func validate() throws(CommandFailure) {
    if let page { try ResultFiles.validate(page: page) }
  }

  /// Writes the page, then prints the results. If the results cannot be printed, the process terminates.
  func write(_ record: ComparisonRecord, beside other: ComparisonRecord? = nil) throws -> ExitCode {
    let record = record.withoutCredentials
    let analysis = ComparisonAnalysis(record)
    let second = (other?.withoutCredentials).map(ComparisonAnalysis.init)
    let agreement = second.map { AgreementReport.blocks(RunAgreement(analysis, $0)) } ?? []
    let document = ReportDocument(analysis, behavior: behavior, agreement: agreement)
    let isWritten = try files.write(CompareOptions.html) { HTMLReport.page(analysis, document) }
    switch shape {
    case .text:
      let style = context.output.style
      // The screen of one file says nothing about the agreement of two.
      let short = agreement.isEmpty ? Screen(analysis)?.lines : TextReport(ReportDocument(agreement)).lines
      for line in hasDetails ? TextReport(document).lines : short ?? TextReport(document).lines {
        // A loaded file can contain control characters.
        let text = visible(line.text)
        switch line.look {
        case .plain: context.output.line(text)
        case .heading: context.output.line(style(.bold, text))
        case .warning: context.output.line(style(.yellow, text))
        case .dim: context.output.line(style(.dim, text))
        }
      }
    case .json: context.output.line(try JSONText.of(ComparisonOutput(record, analysis)))
    case .csv: for line in ComparisonRow.csv(ComparisonRow.rows(analysis)) { context.output.line(visible(line)) }
    case .markdown: for line in MarkdownReport.lines(document) { context.output.line(visible(line)) }
    }
    // A bound holds only for a complete comparison, and for both files.
    let analyses = [analysis] + (second.map { [$0] } ?? [])
    var failures = analyses.flatMap { analysis in
      analysis.absences + analysis.shortfalls + conditions.flatMap { $0.failures(in: analysis) }
    }
    if !conditions.isEmpty, analyses.contains(where: \.record.incomplete) {
      failures.append("the comparison is incomplete, so --fail-if cannot pass")
    }
    for failure in failures { context.notes.line(context.notes.style(.red, "failed:") + " \(visible(failure))") }
    if !failures.isEmpty { return .failed }
    return isWritten ? .success : .cannotStart
  }
}

/// The record together with its analysis.
private struct ComparisonOutput: Encodable {
  private let record: ComparisonRecord
  private let rows: [ComparisonRow]
  private let decisions: [Decision]
  private let answer: Screen?

  init(_ record: ComparisonRecord, _ analysis: ComparisonAnalysis) {
    self.record = record
    answer = Screen(analysis)
    rows = ComparisonRow.rows(analysis)
    decisions = analysis.decisions
  }

  private enum CodingKeys: CodingKey { case answer, rows, decisions }

  func encode(to encoder: any Encoder) throws {
    try record.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(answer, forKey: .answer)
    try container.encode(rows, forKey: .rows)
    try container.encode(decisions, forKey: .decisions)
  }
}

extension ComparisonRecord {
  /// A copy of the record without the credentials in the user's addresses and in messages about them.
  var withoutCredentials: ComparisonRecord {
    var record = self
    for index in record.settings.workloads.indices {
      record.settings.workloads[index].urls = settings.workloads[index].urls?.map(\.addressWithoutCredentials)
    }
    for index in record.samples.indices {
      record.samples[index].failure = samples[index].failure?.withoutCredentials
    }
    return record
  }
}

/// The growing record of a comparison. Only the first caller of ``take()`` gets the record, so only one report is
/// written. The type is safe to use from any thread.
final class ComparisonKeeper: Sendable {
  private struct State {
    var record: ComparisonRecord
    var isReported = false
  }

  private let state: Locked<State>

  init(_ record: ComparisonRecord) { state = Locked(State(record: record)) }

  var record: ComparisonRecord { state.withLock { $0.record } }

  func change(_ body: @Sendable (inout ComparisonRecord) -> Void) { state.withLock { body(&$0.record) } }

  /// Returns the record to the first caller, and nil to later callers.
  func take() -> ComparisonRecord? {
    state.withLock { state in
      guard !state.isReported else { return nil }
      state.isReported = true
      return state.record
    }
  }
}
