import Foundation
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

extension RunsOverSockets {
  /// Comparisons of the simulated network with the real one in random scenarios.
  @Suite struct DifferentialTests {
    private struct Play: Sendable {
      let generated: GeneratedScenario
      var pair: ClockPair
    }

    /// The maximum number of concurrent plays in each round. It falls, so that in the last rounds no other play can
    /// disturb a play. A busy machine swaps two causes in some plays, but a wrong simulation differs in all 20.
    private static let rounds = [16, 4, 2] + Array(repeating: 1, count: 17)

    @Test("Both clocks agree on random scenarios with every strategy")
    func agreement() async throws {
      try await compare(1...12)
    }

    @Test("Both clocks agree on 600 random scenarios with every strategy", .long)
    func longAgreement() async throws {
      try await compare(1001...1600)
    }

    /// Plays the scenarios of these seeds, and reports each that differs.
    private func compare(_ seeds: ClosedRange<Int>) async throws {
      var plays = seeds.flatMap { seed in
        let generated = GeneratedScenario(seed: seed)
        return generated.virtual.sorted { $0.key < $1.key }.map { strategy, virtual in
          Play(generated: generated, pair: ClockPair(generated.scenario, strategy, virtual: virtual))
        }
      }
      var agreed: [Int] = []
      for width in Self.rounds {
        guard plays.contains(where: { $0.pair.difference != nil }) else { break }
        plays = try await round(plays, width)
        agreed.append(plays.count { $0.pair.difference == nil })
      }
      print("\(seeds.count) scenarios, \(plays.count) plays; in agreement after each round: \(agreed)")
      for play in plays where play.pair.difference != nil { report(play) }
    }

    /// Repeats each play that differs.
    private func round(_ plays: [Play], _ width: Int) async throws -> [Play] {
      try await withThrowingTaskGroup(of: Play.self) { group in
        var results = plays.filter { $0.pair.difference == nil }
        for (number, play) in plays.filter({ $0.pair.difference != nil }).enumerated() {
          if number >= width, let result = try await group.next() { results.append(result) }
          group.addTask {
            var play = play
            try await play.pair.play()
            return play
          }
        }
        for try await result in group { results.append(result) }
        return results
      }
    }

    private func report(_ play: Play) {
      Issue.record(
        """
        seed \(play.generated.seed), \(play.pair.strategy): the clocks differ in each of \(play.pair.plays) plays
        \(play.pair.difference ?? "")
        \(play.generated.file)
        """)
    }
  }
}
