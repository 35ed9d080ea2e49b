import EventBus
import ScheduleExplorer
import TestMachine
import Testing
import VirtualTime

/// Shows the image that was selected last, or should.
enum Viewer: Sendable {
  /// Shows whatever comes last.
  case broken
  /// The same, with steps between the others.
  case edited
  /// With other steps between them, and a look at what is selected.
  case mended
  /// Asks for the second image when the first is there.
  case patient
  /// Does not ask for the first image at all.
  case hasty

  func start(_ runtime: VirtualRuntime) -> Log {
    let (shown, network, disk) = (Log(), runtime.network("network"), runtime.serial("disk"))
    @Sendable func request(_ name: String, _ seconds: Int, then next: (@Sendable () -> Void)? = nil) {
      if self != .broken { disk.schedule { runtime.note("log the request of \(name)") } }
      _ = network.schedule(after: .seconds(seconds)) {
        if self != .broken { runtime.main.schedule { runtime.note("hide the progress of \(name)") } }
        runtime.note("deliver \(name)")
        runtime.main.schedule { if self != .mended || name == "B" { shown.add(name) } }
        next?()
      }
    }
    switch self {
    case .patient: request("A", 1) { request("B", 2) }
    case .hasty: request("B", 2)
    default:
      request("A", 1)
      request("B", 2)
    }
    return shown
  }

  @discardableResult
  func explore(replaying token: String? = nil, loosely: Bool = false) throws -> Exploration {
    try ScheduleExplorer.explore(timing: .any, replaying: token, loosely: loosely) { runtime in
      let shown = start(runtime)
      return { try check(shown.all.last == "B", "\(shown.all.last ?? "nothing") is shown") }
    }
  }
}

@Suite("A token by order", .computing) struct OrderTokenTests {
  private func failure(_ viewer: Viewer) throws -> ExplorationFailure {
    try #require(throws: ExplorationFailure.self) { try viewer.explore() }
  }

  @Test("An order token names deciding items and replays its failure")
  func same() throws {
    let failure = try failure(.broken)
    let token = try #require(failure.orderToken)
    #expect("\(token)".wholeMatch(of: /O1\.deliver B@network#[0-9a-f]{8}<deliver A@network#[0-9a-f]{8}/) != nil)
    #expect("\(failure)".contains(#"explore(timing: .any, replaying: "\#(token)")"#))
    let replayed = try #require(throws: ExplorationFailure.self) { try Viewer.broken.explore(replaying: "\(token)") }
    #expect(replayed.scheduleTable == failure.scheduleTable)
    #expect(replayed.token == failure.token && replayed.orderToken == token)
  }

  @Test("A failure with an item in one order only has no order token")
  func onlyInTheFailingOrder() throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore(timing: .any) { runtime in
        let (network, shown) = (runtime.network("network"), Locked(false))
        _ = network.schedule(after: .seconds(1)) {
          let body = network.schedule(after: .seconds(1)) { shown.withLock { $0 = true } }
          runtime.main.schedule { body.cancel() }
        }
        return { try check(!shown.withLock { $0 }, "shown although cancelled") }
      }
    }
    #expect(failure.orderToken == nil)
  }

  @Test("An order token replays where a decision token does not fit")
  func edited() throws {
    let failure = try failure(.broken)
    #expect(throws: ReplayMismatch.self) { try Viewer.edited.explore(replaying: "\(failure.token)") }
    let token = try #require(failure.orderToken)
    let again = try #require(throws: ExplorationFailure.self) { try Viewer.edited.explore(replaying: "\(token)") }
    #expect(again.finding == failure.finding)
    #expect(again.token.deviations != failure.token.deviations)
  }

  @Test("Its order happens on the repair as well, which passes")
  func mended() throws {
    let failure = try failure(.broken)
    #expect(throws: ReplayMismatch.self) { try Viewer.mended.explore(replaying: "\(failure.token)") }
    let replay = try Viewer.mended.explore(replaying: "\(#require(failure.orderToken))")
    let order = replay.scheduleTable.matches(of: /\s\s(deliver .)/).map(\.1)
    #expect(order == ["deliver B", "deliver A"])
    #expect(replay.statistics.schedules == 1)
  }

  @Test("An impossible order is reported unless the replay is loose")
  func impossible() throws {
    let token = "O1.deliver B<deliver A"
    let mismatch = #expect(throws: ReplayMismatch.self) { try Viewer.patient.explore(replaying: token) }
    #expect(mismatch?.description.contains("“deliver A” can no longer come after “deliver B”") == true)
    try Viewer.patient.explore(replaying: token, loosely: true)
  }

  @Test("A first item must happen, and a later item may be missing")
  func missing() throws {
    try Viewer.hasty.explore(replaying: "O1.deliver B<deliver A")
    let mismatch = #expect(throws: ReplayMismatch.self) {
      try Viewer.hasty.explore(replaying: "O1.deliver C<deliver B")
    }
    #expect(mismatch?.description.contains("no item that ran matches “deliver C”") == true)
  }

  @Test("An item with a changing note value is found by identity")
  func values() throws {
    let run = { (first: Int, token: String?) in
      try explore(timing: .any, replaying: token) { runtime in
        let taps = Log()
        for number in 1...2 {
          _ = runtime.user.schedule(after: .seconds(number)) {
            runtime.note("tap with balance \(first - 70 * taps.all.count)")
            taps.add("tap")
            _ = runtime.network("bank").schedule(after: .milliseconds(1)) { taps.add("answer") }
          }
        }
        return { try check(taps.all.prefix(2) != ["tap", "tap"], "two taps") }
      }
    }
    let failure = try #require(throws: ExplorationFailure.self) { try run(100, nil) }
    let token = try #require(failure.orderToken)
    #expect("\(token)".contains("tap with balance 30@main#"))
    let again = try #require(throws: ExplorationFailure.self) { try run(500, "\(token)") }
    #expect(again.finding.message.hasPrefix("two taps"))
  }

  @Test("Any note can be written in it, and nothing else is a token")
  func spelling() throws {
    for note in ["a<b", "100 %", "it's #1; \"B\"", "Bild größer\n2", "$(rm)", "x@y"] {
      let name = try #require(ItemName(note.map { "%<;@#'\"$\n".contains($0) ? escape($0) : String($0) }.joined()))
      #expect(name.text == note)
      #expect(ItemName("\(name)") == name)
      #expect(!"\(name)".contains { "'\"<;@#$\n".contains($0) })
    }
    #expect(Token("O1.deliver B<deliver A;c@main#0000002a<d")?.order.count == 2)
    for text in ["O1.", "O1.a", "O1.a<", "O1.a<b<c", "O1.a<b;", "O1.a#xyz<b", "O1.a%zz<b", "O2.a<b"] {
      #expect(Token(text) == nil, "\(text)")
    }
  }

  private func escape(_ character: Character) -> String {
    let byte = character.utf8.first ?? 0
    return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
