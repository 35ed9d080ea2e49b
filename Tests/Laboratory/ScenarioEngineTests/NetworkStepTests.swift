import Foundation
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// The step `network` on the virtual clock, where the duration of a request is exactly that of its response.
@Suite(.computing) struct NetworkStepTests {
  /// Runs a scenario with the images `A` and `B`, each of which is selected once.
  ///
  /// - Parameters:
  ///   - members: further members of the file, each followed by a comma.
  ///   - steps: the steps.
  private func run(_ members: String = "", _ steps: String...) throws -> RunRecord {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "clocks": ["virtual"], \#(members)
       "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
       "steps": [{"at": "0ms", "do": "appear"}, \#(steps.joined(separator: ", "))]}
      """#)
    return try #require(file.scenario, "\(file.diagnostics.map(\.message))").runVirtually("dataTask")
  }

  /// Returns how long the request for each image took.
  private func durations(_ record: RunRecord) -> [String: Duration] {
    var durations: [String: Duration] = [:]
    for event in record.events {
      guard let image = event[.image] else { continue }
      if event.kind == .requestBegin { durations[image] = .zero - event.time }
      if event.kind == .requestEnd { durations[image]? += event.time }
    }
    return durations
  }

  private let selectA = #"{"at": "10ms", "do": "select", "image": "A"}"#
  private let selectB = #"{"at": "5s", "do": "select", "image": "B"}"#

  @Test(
    "The latency of the network replaces that of each response, until a step without keys restores the script",
    arguments: [
      (
        #""origin": {"routes": [{"path": "/a.png", "responses": [{}]}, {"path": "/b.png", "responses": [{"latency": "90ms"}]}]},"#,
        90
      ),
      (#""origin": {"default": {"latency": "90ms"}},"#, 90),
      (#""origin": {"default": {"status": 404, "latency": {"uniform": ["90ms", "90ms"]}}},"#, 90),
      ("", 0),
    ])
  func latency(_ origin: String, _ scripted: Int) throws {
    let record = try run(
      origin, #"{"at": "0ms", "do": "network", "latency": "700ms"}"#, selectA,
      #"{"at": "5s", "do": "network"}"#, selectB)
    #expect(durations(record) == ["A": .milliseconds(700), "B": .milliseconds(scripted)])
    let texts = record.events.filter { $0.kind == .networkChange }.map { $0[.text] }
    #expect(texts == ["latency 700ms", "as scripted"])
  }

  @Test("The network also slows the responses for all paths, those of later steps, and the 404 of an unknown path")
  func everyResponse() throws {
    let slow = #"{"at": "0ms", "do": "network", "latency": "700ms"}"#
    let all = #"{"at": "0ms", "do": "origin", "all": [{"latency": "90ms"}]}"#
    let later = #"{"at": "5s", "do": "origin", "path": "/b.png", "responses": [{"latency": "90ms"}]}"#
    let unknown =
      #"{"at": "0ms", "do": "origin", "path": "/a.png", "responses": [{"status": 302, "headers": {"Location": "/gone"}}]}"#
    #expect(durations(try run("", all, slow, selectA)) == ["A": .milliseconds(700)])
    #expect(durations(try run("", slow, all, selectA)) == ["A": .milliseconds(700)])
    #expect(durations(try run("", slow, later, selectB)) == ["B": .milliseconds(700)])
    #expect(durations(try run("", slow, unknown, selectA)) == ["A": .milliseconds(1400)])
  }

  @Test("The bandwidth of the network replaces that of each response, and the latency stays as scripted")
  func bandwidth() throws {
    let record = try run(
      #""origin": {"default": {"body": {"bytes": 1000}, "latency": "90ms", "bandwidth": 10000}},"#,
      #"{"at": "0ms", "do": "network", "bandwidth": 500}"#, selectA, #"{"at": "5s", "do": "network"}"#, selectB)
    #expect(durations(record) == ["A": .milliseconds(2090), "B": .milliseconds(190)])
  }

  @Test("Each step states the whole network, so a step with a bandwidth restores the latency of the script")
  func wholeNetwork() throws {
    let record = try run(
      #""origin": {"default": {"body": {"bytes": 1000}}},"#, #"{"at": "0ms", "do": "network", "latency": "700ms"}"#,
      #"{"at": "5ms", "do": "network", "bandwidth": 1000}"#, selectA)
    #expect(durations(record) == ["A": .seconds(1)])
  }

  @Test("A request in flight keeps its latency")
  func inFlight() throws {
    let record = try run(
      "", #"{"at": "0ms", "do": "network", "latency": "700ms"}"#, selectA, #"{"at": "20ms", "do": "network"}"#)
    #expect(durations(record) == ["A": .milliseconds(700)])
  }

  @Test("The network does not change which requests fail, or what else a response contains")
  func faults() throws {
    let origin = #"""
      "origin": {"default": {"status": 203, "body": {"bytes": 9}, "latency": {"uniform": ["0ms", "20ms"]},
                             "fault": "truncate", "after": 5, "probability": 0.5}},
      """#
    let select = #"{"at": "0ms", "do": "select", "image": "A"}, {"at": "0ms", "do": "wait-idle"}"#
    let selects = [String](repeating: select, count: 30).joined(separator: ", ")
    let ends = { (record: RunRecord) in
      record.events.filter { $0.kind == .requestEnd }.map { [$0[.status], $0[.error]] }
    }
    let scripted = ends(try run(origin, selects))
    #expect(Set(scripted).count == 2)
    let latency = #"{"uniform": ["1s", "2s"]}"#
    for steps in [
      #"{"at": "0ms", "do": "network", "latency": "3s"}"#, #"{"at": "0ms", "do": "network", "latency": \#(latency)}"#,
    ] {
      #expect(ends(try run(origin, steps, selects)) == scripted)
    }
  }

  @Test("A random latency of the network differs between requests")
  func randomLatency() throws {
    let record = try run("", #"{"at": "0ms", "do": "network", "latency": {"uniform": ["1s", "3s"]}}"#, selectA, selectB)
    let times = durations(record)
    #expect(times.values.allSatisfy { (.seconds(1)...(.seconds(3))).contains($0) })
    #expect(times["A"] != times["B"])
  }
}
