import EventBus
import ScheduleExplorer
import TestMachine
import Testing
import VirtualTime

/// Variants of a viewer that must show the image that was selected last.
enum Viewer: Sendable {
  /// A viewer that shows the image that arrives last.
  case broken
  /// Like `broken`, with more items between the others.
  case edited
  /// Like `edited`, but shows only the selected image.
  case mended
  /// A viewer that requests the second image after the first has arrived.
  case patient
  /// Never requests the first image.
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

@Suite("Order tokens", .computing) struct OrderTokenTests {
  private func failure(_ viewer: Viewer) throws -> ExplorationFailure {
    try #require(throws: ExplorationFailure.self) { try viewer.explore() }
  }

  @Test("An order token names the items whose order decides, and replays the failure")
  func same() throws {
    let failure = try failure(.broken)
    let token = try #require(failure.orderToken)
    #expect("\(token)".wholeMatch(of: /O1\.deliver B@network#[0-9a-f]{8}<deliver A@network#[0-9a-f]{8}/) != nil)
    #expect("\(failure)".contains(#"explore(timing: .any, replaying: "\#(token)")"#))
    let replayed = try #require(throws: ExplorationFailure.self) { try Viewer.broken.explore(replaying: "\(token)") }
    #expect(replayed.scheduleTable == failure.scheduleTable)
    #expect(replayed.token == failure.token && replayed.orderToken == token)
  }

  @Test("A failure has no order token if one of its deciding items runs only in the failing order")
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

  @Test("After an edit of the program, an order token still replays the failure")
  func edited() throws {
    let failure = try failure(.broken)
    #expect(throws: ReplayMismatch.self) { try Viewer.edited.explore(replaying: "\(failure.token)") }
    let token = try #require(failure.orderToken)
    let again = try #require(throws: ExplorationFailure.self) { try Viewer.edited.explore(replaying: "\(token)") }
    #expect(again.finding == failure.finding)
    #expect(again.token.deviations != failure.token.deviations)
  }

  @Test("The repaired program passes in the order of the token")
  func mended() throws {
    let failure = try failure(.broken)
    #expect(throws: ReplayMismatch.self) { try Viewer.mended.explore(replaying: "\(failure.token)") }
    let replay = try Viewer.mended.explore(replaying: "\(#require(failure.orderToken))")
    let order = replay.scheduleTable.matches(of: /\s\s(deliver .)/).map(\.1)
    #expect(order == ["deliver B", "deliver A"])
    #expect(replay.statistics.schedules == 1)
  }

  @Test("A replay reports an order that the program can no longer take, unless the replay is loose")
  func impossible() throws {
    let token = "O1.deliver B<deliver A"
    let mismatch = #expect(throws: ReplayMismatch.self) { try Viewer.patient.explore(replaying: token) }
    #expect(mismatch?.description.contains("“deliver A” can no longer come after “deliver B”") == true)
    try Viewer.patient.explore(replaying: token, loosely: true)
  }

  @Test("A replay requires the first item of an order, but not the second")
  func missing() throws {
    try Viewer.hasty.explore(replaying: "O1.deliver B<deliver A")
    let mismatch = #expect(throws: ReplayMismatch.self) {
      try Viewer.hasty.explore(replaying: "O1.deliver C<deliver B")
    }
    #expect(mismatch?.description.contains("no item that ran matches “deliver C”") == true)
  }

  @Test("A replay recognizes an item by its identity even if a value in its note has changed")
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

  @Test("An order token can contain any note, and the text of an invalid token is rejected")
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
