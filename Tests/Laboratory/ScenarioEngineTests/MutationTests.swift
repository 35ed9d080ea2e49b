import Foundation
import PlainText
import ScenarioSamples
import SeededNumbers
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// Damaged files. The mutators are seeded, so that a failure repeats.
@Suite(.computing) struct MutationTests {
  private static let bases = [SampleScenario.everything, SampleScenario.example]

  @Test("Each of 300 mutated scenarios is either valid or rejected with a location in the file")
  func mutatedFiles() {
    var generator = SplitMix64(seed: 20_261)
    let count = LongTests.times(80, long: 300)
    var refused = 0
    for number in 0..<count {
      let base = Self.bases[number % Self.bases.count]
      let text = TextMutator.mutate(base, &generator)
      if Self.isRefused(Array(text.utf8)) { refused += 1 }
    }
    // Both ways must be seen: a mutator that always breaks the file, or never, tests little.
    #expect((count / 2..<count).contains(refused), "\(refused) refused")
  }

  @Test("Each of 150 scenarios with changed keys either runs to its end or is rejected with a location")
  func mutatedKeys() throws {
    var mutator = KeyMutator(seed: 20_262)
    for number in 0..<LongTests.times(50, long: 150) { try Self.checkAndRun(mutator: &mutator, number) }
  }

  @Test(
    "Random changes to every key never crash or hang a run", .long, .timeLimit(.minutes(10)))
  func mutatedKeysForAMinute() throws {
    var mutator = KeyMutator(seed: 4_712)
    let start = ContinuousClock.now
    var ran = 0
    var number = 0
    // On a busy machine, a minute may be too short to change every key.
    while start.duration(to: .now) < .seconds(60) || !Self.keys.isSubset(of: mutator.touched) {
      if try Self.checkAndRun(mutator: &mutator, number) { ran += 1 }
      number += 1
    }
    #expect(ran > number / 100, "\(ran) of \(number) were valid")
  }

  /// Every key of the samples.
  private static let keys: Set<String> = {
    func keys(_ value: JSONValue) -> [String] {
      switch value {
      case .object(let members): members.flatMap { [$0] + keys($1) }
      case .list(let items): items.flatMap(keys)
      default: []
      }
    }
    return Set(trees.flatMap(keys))
  }()

  private static let trees = bases.compactMap { base -> JSONValue? in
    var diagnostics = Diagnostics()
    return JSONParser.parse(SourceText(path: "", bytes: Array(base.utf8)), &diagnostics).map { JSONValue($0) }
  }

  /// Returns whether the changed scenario was valid and ran.
  @discardableResult private static func checkAndRun(mutator: inout KeyMutator, _ number: Int) throws -> Bool {
    var tree = trees[number % trees.count]
    for _ in 0...number % 3 { tree = mutator.mutate(tree) }
    let bytes = Array(try JSONText.of(tree).utf8)
    let file = ScenarioFile(SourceText(path: "x.json", bytes: bytes), vocabulary: .sample)
    guard !isRefused(bytes), let scenario = file.scenario, isSmall(scenario) else { return false }
    let strategy = scenario.plannedStrategies[0]
    let record = VirtualScenarioRunner(scenario: scenario, folder: packageRoot).run(strategy)
    let outcome = ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .virtual, record)
    #expect(outcome.events == record.events.count)
    return true
  }

  /// Excludes large pictures and bodies, which cost time and test nothing more.
  private static func isSmall(_ scenario: Scenario) -> Bool {
    scenario.images.allSatisfy { $0.size.width * $0.size.height < 100_000 }
      && scenario.allResponses.allSatisfy { if case .bytes(let count) = $0.body { count < 1 << 20 } else { true } }
  }

  @Test("Each of 100 scenarios with changed bytes is either valid or rejected with a location in the file")
  func mutatedBytes() {
    var generator = SplitMix64(seed: 20_263)
    for number in 0..<100 { Self.checkChangedBytes(&generator, number) }
  }

  @Test("A minute of random byte changes never crashes or hangs the parser", .long, .timeLimit(.minutes(10)))
  func mutatedBytesForAMinute() {
    var generator = SplitMix64(seed: 4_711)
    let start = ContinuousClock.now
    var runs = 0
    while start.duration(to: .now) < .seconds(60) {
      Self.checkChangedBytes(&generator, runs)
      runs += 1
    }
    #expect(runs > 100)
  }

  private static func checkChangedBytes(_ generator: inout SplitMix64, _ number: Int) {
    var bytes = Array(bases[number % bases.count].utf8)
    for _ in 0..<Int.random(in: 1...8, using: &generator) { TextMutator.mutate(&bytes, &generator) }
    _ = isRefused(bytes)
  }

  /// Parses a file and formats its diagnostics, as `check` does.
  private static func isRefused(_ bytes: [UInt8]) -> Bool {
    let file = ScenarioFile(SourceText(path: "x.json", bytes: bytes), name: "x", vocabulary: .sample)
    let errors = file.diagnostics.filter { !$0.code.isWarning }
    #expect((file.scenario == nil) == !errors.isEmpty)
    for diagnostic in file.diagnostics {
      #expect(diagnostic.range.upperBound <= bytes.count)
      let place = file.source.position(of: diagnostic.range.lowerBound)
      #expect(place.line >= 1 && place.column >= 1)
    }
    let lines = DiagnosticReport(source: file.source, diagnostics: file.diagnostics).lines()
    #expect(lines.isEmpty == file.diagnostics.isEmpty)
    return file.scenario == nil
  }
}

/// A mutator that damages text as an author would, and bytes as a disk would.
enum TextMutator {
  private static let words = [
    "\"", "{", "}", "[", "]", ",", ":", "null", "true", "0", "-1", "1e9", "\"x\"", "\"0ms\"", "\"A\"", "300", "//", "'",
    "\\", "\u{FEFF}", "\t", "é", "\"at\": ", "\"do\": \"select\"", "\"event\": \"note\"", "\"after\": \"a\",",
    "\u{200B}\u{301}", "\u{200E}", "\u{AD}\u{301}", "\u{600}", "\u{301}",
  ]

  /// Makes one change: removes, repeats, swaps, replaces, shuffles or inserts a piece of the text.
  static func mutate(_ text: String, _ generator: inout SplitMix64) -> String {
    var pieces = pieces(of: text)
    let index = Int.random(in: pieces.indices, using: &generator)
    let other = Int.random(in: pieces.indices, using: &generator)
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: pieces.remove(at: index)
    case 1: pieces.insert(pieces[index], at: index)
    case 2: pieces.swapAt(index, other)
    case 3: pieces[index] = words.randomElement(using: &generator) ?? ""
    case 4: pieces[index] = pieces[other]
    case 5: pieces[index] = String(pieces[index].shuffled(using: &generator))
    default: pieces.insert(words.randomElement(using: &generator) ?? "", at: index)
    }
    return pieces.joined()
  }

  /// Changes, removes or inserts one byte.
  static func mutate(_ bytes: inout [UInt8], _ generator: inout SplitMix64) {
    guard let index = bytes.indices.randomElement(using: &generator) else { return }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes.remove(at: index)
    case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
    default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    }
  }

  /// Splits a text into words, numbers, strings, punctuation and spaces.
  private static func pieces(of text: String) -> [String] {
    text.matches(of: /"[^"\n]*"|[A-Za-z0-9.]+|\s+|./).map { String($0.output) }
  }
}
