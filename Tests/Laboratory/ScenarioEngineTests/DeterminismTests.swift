import PlainText
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// Virtual runs with many concurrent events, on blocked threads and in tasks, with random faults and latencies.
@Suite(.computing) struct DeterminismTests {
  // The images are small, because they arrive in chunks of 16 bytes.
  private static let text = #"""
    {"scenario": 1, "name": "x", "seed": 5, "clocks": ["virtual"],
     "images": [{"id": "A", "path": "/a.png", "size": "2x2"}, {"id": "B", "path": "/b.png", "size": "2x2"},
                {"id": "C", "path": "/c.png", "size": "2x2"}, {"id": "D", "path": "/a.png", "size": "2x2"}],
     "origin": {
       "default": {"latency": {"lognormal": {"median": "20ms", "sigma": 1, "max": "1s"}},
                   "fault": "truncate", "after": 50, "probability": 0.5, "chunks": 16}},
     "steps": [{"at": "0ms", "do": "subscribe", "subscriber": "s", "topic": "t", "delivery": "workers"},
               {"at": "0ms", "do": "appear", "view": "left"}, {"at": "0ms", "do": "appear", "view": "right"},
               {"at": "0ms", "do": "select", "image": "A", "view": "left"},
               {"at": "0ms", "do": "select", "image": "B", "view": "right"},
               {"at": "0ms", "do": "select", "image": "C", "view": "left"},
               {"at": "0ms", "do": "select", "image": "D", "view": "right"},
               {"at": "1ms", "do": "publish", "topic": "t", "lane": "workers"},
               {"at": "2ms", "do": "cancel", "image": "B"}, {"at": "2ms", "do": "drop-model", "image": "A"},
               {"at": "3ms", "do": "select", "image": "B", "view": "left"}, {"at": "3ms", "do": "wait-idle"},
               {"at": "3ms", "do": "select", "image": "C", "view": "right"}]}
    """#

  private func runner(tracesClosures: Bool) throws -> VirtualScenarioRunner {
    let scenario = try #require(SampleScenario.file(Self.text).scenario)
    return VirtualScenarioRunner(scenario: scenario, folder: packageRoot, tracesClosures: tracesClosures)
  }

  @Test(
    "Repeated virtual runs record the same events at the same times",
    arguments: Vocabulary.shipped.strategies)
  func sameEvents(_ strategy: String) throws {
    let runner = try runner(tracesClosures: false)
    let first = runner.run(strategy)
    #expect(first.events.count > 30)
    #expect(first.foreignCalls == 0)
    let others = (0..<LongTests.times(15, long: 500)).filter { _ in runner.run(strategy).events != first.events }
    #expect(others == [])
  }

  @Test(
    "Repeated virtual runs write the same trace of all closures, byte for byte",
    arguments: Vocabulary.shipped.strategies)
  func sameTraces(_ strategy: String) throws {
    let runner = try runner(tracesClosures: true)
    let texts = try (0..<LongTests.times(4, long: 20)).map { _ in
      var trace = ChromeTrace()
      trace.add("run", runner.run(strategy))
      return try JSONText.of(trace.json)
    }
    #expect(texts[0].contains(#""ph" : "X""#))
    #expect(Set(texts).count == 1)
  }
}
