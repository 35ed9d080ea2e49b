import Dispatch
import EventBus
import Foundation
import OriginServer
import PlainText
import RunPages
import ScenarioEngine
import ScenarioFormat
import Synchronization

/// The session that all tabs show: the program on main, its record as messages, and the tools that use the record.
///
/// Its methods can be called from any thread. The program runs on main, and ``Stage`` knows what main has done. Messages
/// are made on a serial queue, which alone changes the ``Board``, and only while a tab is connected.
final class LiveSession: Sendable {
  /// The scenario that runs, and the steps of the user so far.
  private struct Stage: Sendable {
    var program: LiveProgram
    var live: LiveScenario?
    var strategy: String
    var performed: [PerformedStep] = []
    /// The steps of the user that are performed next.
    var waiting: [(action: Scenario.Action, json: JSONValue)] = []
    /// The scenario file that is played, or nil.
    var played: PlayedFile?
    /// The program that the user has chosen, which a scenario file replaces only while it is played.
    var chosen: LiveProgram

    /// The steps of the user that the network still follows: the last step `network`, and the last step `origin` of
    /// each path and of all paths. A step with several responses states how many requests have used them.
    var changes: [JSONValue] {
      let last = Dictionary(
        performed.filter(\.changesNetwork).map { ($0.json["path"]?.text ?? $0.json["do"]?.text, $0) }
      ) { $1 }
      return last.sorted { $0.key ?? "" < $1.key ?? "" }.map { path, step in
        guard let live, step.isArmed else { return step.json }
        let requests = live.events(from: step.position).count { $0.kind == .requestBegin && $0[.path] == path }
        var json = step.json
        json["requests"] = .integer(requests)
        return json
      }
    }
  }

  /// The content of the tabs.
  private struct Board: Sendable {
    var origin: OriginServer?
    var run: GrowingRun
    var remarks = RemarkFinder()
    var screens: ScreensMessage?
    var played: PlayedMessage?
    var order = EventOrder()

    /// Adds events, and returns the rows and remarks that are new.
    mutating func add(_ events: [RunEvent], at now: Duration) -> RowsMessage {
      var found: [Remark] = []
      for event in events.flatMap({ order.take($0) }) + order.overdue(at: now) {
        if let remark = remarks.take(event) { found.append(remark) }
        run.add(event, text: remarks.rowText)
      }
      return RowsMessage(run: run.growth(), remarks: found)
    }
  }

  /// The time in which events are collected. It is shorter than a frame of the browser, and longer than a short fetch, so
  /// that the messages of a fetch are made after it.
  private static let delay = DispatchTimeInterval.milliseconds(12)
  /// The time without an event after which the invariants judge the record.
  private static let quiet = DispatchTimeInterval.milliseconds(100)
  /// The maximum number of events in a record that the invariants judge while the user watches, and while work is in
  /// flight.
  private static let (longestJudged, longestInFlight) = (20_000, 2000)

  /// The origin is for the session's fetches. A page of another site must not use up a response that the user has set.
  private static let originPolicy = {
    var policy = OriginPolicy()
    policy.refusesBrowsers = true
    return policy
  }()

  private let settings: LiveSettings
  private let runtime: any Runtime
  let hub = MessageHub()
  let pictures = KeptFiles(most: 64)
  let results = KeptFiles(most: 16)
  private let stage: Locked<Stage>
  private let board: Locked<Board>
  private let queue = DispatchQueue(label: "live.page")
  private let isPumpScheduled = Atomic(false)
  private let isDrawScheduled = Atomic(false)
  private let isToolRunning = Atomic(false)

  init(_ settings: LiveSettings, runtime: any Runtime = DispatchRuntime.shared) {
    (self.settings, self.runtime) = (settings, runtime)
    let program = settings.programs[0]
    stage = Locked(Stage(program: program, strategy: settings.strategy, chosen: program))
    board = Locked(Board(run: GrowingRun(program.scenario)))
    begin(program, program.scenario, nil)
  }

  /// Cancels the fetches, and ends the streams. Waits for main, but not for a step that keeps it busy.
  func close() {
    hub.close()
    let live = stage.withLock { $0.live.take() }
    let isClosed = DispatchSemaphore(value: 0)
    runtime.scheduleOnMain {
      live?.close()
      isClosed.signal()
    }
    // Main may be busy with a step of the user, and the process is about to end.
    _ = isClosed.wait(timeout: .now() + 0.2)
    board.withLock { $0.origin.take() }?.stop()
  }

  /// The number of requests that the origin has received, by path.
  var requests: [String: Int] {
    let counters = board.withLock { $0.origin?.counters.requestsByPath ?? [:] }
    return Dictionary(uniqueKeysWithValues: counters.map { ($0.key.text, $0.value) })
  }

  // MARK: Requests

  /// Connects a tab that has received the messages up to an id, or none. Returns nil if there are too many tabs.
  func connect(after id: Int?) -> TabStream? {
    let tab = TabStream(hub) { [weak self] tab, isNew in
      self?.queue.async { [weak self] in self?.position(tab, after: isNew ? id : nil) }
    }
    return hub.add(tab) ? tab : nil
  }

  /// Decodes the steps in the body of a request.
  func decode(_ body: [UInt8]) -> DecodedSteps {
    let program = stage.withLock { $0.program }
    return DecodedSteps(
      SourceText(path: "step", bytes: body), for: program.scenario, vocabulary: .shipped,
      validateFile: { ScenarioFile.problem(ofFile: $0, in: program.folder) })
  }

  /// Performs steps on main.
  func perform(_ steps: [(action: Scenario.Action, json: JSONValue)]) {
    let session = stage.withLock { $0.live }
    runtime.scheduleOnMain { [self] in
      // While main was busy, another session may have begun, which these steps do not concern.
      let isSame = stage.withLock { stage in
        if stage.live === session { stage.waiting += steps }
        return stage.live === session
      }
      guard isSame, let session else { return }
      expect(steps.map(\.action))
      performWaiting(in: session)
    }
  }

  /// Performs the steps that wait. A change of the network waits until the request of an earlier step has reached the
  /// origin, as it has on the virtual clock.
  @MainActor private func performWaiting(in live: LiveScenario) {
    var isNetworkChanged = false
    while let action = takeStep(in: live) {
      live.perform(action)
      isNetworkChanged = isNetworkChanged || action.changesNetwork
    }
    // A step may change a screen without an event.
    draw()
    if isNetworkChanged { queue.async { [self] in postNetwork() } }
    if stage.withLock({ $0.live === live && !$0.waiting.isEmpty }) {
      afterWaiting { [self] in performWaiting(in: live) }
    }
  }

  /// Takes the next step, unless it must wait.
  @MainActor private func takeStep(in live: LiveScenario) -> Scenario.Action? {
    stage.withLock { stage in
      guard stage.live === live, let (action, json) = stage.waiting.first else { return nil }
      let last = stage.performed.last { !$0.changesNetwork }?.time
      if action.changesNetwork, let last, live.now < last + StepPlan.nearby { return nil }
      stage.waiting.removeFirst()
      stage.performed.append(
        PerformedStep(time: live.now, position: live.count, json: json, changesNetwork: action.changesNetwork))
      return action
    }
  }

  /// Calls `action` on main after the time for which a step waits.
  private func afterWaiting(_ action: @escaping @MainActor @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(Int(StepPlan.nearby.inMilliseconds))) { [self] in
      runtime.scheduleOnMain(action)
    }
  }

  private func postNetwork() { hub.post("network", stage.withLock { $0 }.changes) }

  /// Starts a program from the beginning. An empty name means the current program.
  func start(program name: String) -> Bool {
    let program = name.isEmpty ? stage.withLock { $0.chosen } : settings.programs.first { $0.id == name }
    guard let program else { return false }
    queue.async { [self] in begin(program, program.scenario, nil) }
    return true
  }

  /// Plays a scenario of the folder, or performs the next step of the one that is played.
  func play(file name: String, stepByStep: Bool) -> Bool {
    if name.isEmpty, stepByStep {
      performNext()
      return true
    }
    guard let file = settings.scenarios.first(where: { $0.source.path.hasSuffix("/\(name).json") }),
      var scenario = file.scenario,
      let program = LiveProgram(
        file, title: scenario.title.isEmpty ? scenario.name : scenario.title, summary: scenario.description)
    else { return false }
    let played = PlayedFile(scenario, file.source, stepByStep ? StepByStep(scenario.steps) : nil)
    scenario.expectations = []
    if stepByStep, !scenario.usesDeadline {
      // The user may explain a step for minutes.
      (scenario.limits.endsAtDeadline, scenario.limits.timeoutSeconds) = (false, 24 * 60 * 60)
    }
    queue.async { [self, scenario, played] in begin(program, scenario, played) }
    return true
  }

  private func performNext() {
    runtime.scheduleOnMain { [self] in
      let (live, steps) = stage.withLock { ($0.live, $0.played?.steps) }
      guard let live, let steps else { return }
      if let action = steps.take(in: live) {
        expect([action])
        live.perform(action)
      }
      draw()
    }
  }

  /// Prepares the sentences about origin steps that are performed next. Steps for several addresses have one subject.
  private func expect(_ actions: [Scenario.Action]) {
    let scenario = stage.withLock { $0.program.scenario }
    let concernsAll = actions.count { $0.originPath != nil } >= max(2, Set(scenario.images.map(\.path)).count)
    queue.async { [self] in
      board.withLock { board in
        for action in actions {
          let (path, all) = (action.originPath, "every address")
          let name = path.map { path in scenario.images.first { $0.path.text == path }?.id ?? path } ?? all
          let scripted =
            scenario.origin.routes.first { $0.path.text == path }?.responses
            ?? scenario.origin.fallback.map { [$0] }
          guard let row = action.originWords(about: name, scripted: scripted)?.row,
            let sentence = action.originWords(about: concernsAll ? all : name, scripted: scripted)?.sentence
          else { continue }
          board.remarks.expect(path, row: row, sentence: sentence)
        }
      }
    }
  }

  // MARK: Sessions

  /// Ends the session, and starts another one. Runs on the queue.
  private func begin(_ program: LiveProgram, _ scenario: Scenario, _ played: PlayedFile?) {
    let origin: OriginServer
    do {
      if let steps = played?.steps {
        origin = try OriginServer(
          policy: Self.originPolicy,
          holding: { [weak self] path, latency, release in
            let forget = steps.hold(path, latency, release)
            self?.draw()
            return { [weak self] in
              forget()
              self?.draw()
            }
          })
      } else {
        origin = try OriginServer(content: OriginContent(), policy: Self.originPolicy)
      }
    } catch {
      return hub.post("failure", ["message": "\(error)"])
    }
    let old = stage.withLock { $0.live.take() }
    let strategy = played.flatMap { _ in scenario.strategies.first } ?? settings.strategy
    let live = LiveScenario(
      scenario, folder: program.folder, strategy: strategy, origin: origin, runtime: runtime, program: program.make
    ) { [weak self] _ in self?.recorded() }
    stage.withLock {
      let chosen = played == nil ? program : $0.chosen
      $0 = Stage(program: program, live: live, strategy: strategy, played: played, chosen: chosen)
    }
    let oldOrigin = board.withLock { board in
      defer { board = Board(origin: origin, run: GrowingRun(scenario), played: played?.message) }
      return board.origin
    }
    if played?.steps == nil { expect(scenario.steps.map(\.action)) }
    runtime.scheduleOnMain { [self] in
      old?.close()
      queue.async { oldOrigin?.stop() }
      live.open()
      if played?.steps == nil {
        live.play { [weak self] isComplete in
          played?.noteEnd(isComplete: isComplete)
          self?.draw()
        }
      }
      draw()
    }
    hub.post("session", message())
  }

  /// Called for each event, on its thread.
  private func recorded() {
    guard hub.hasTabs, !isPumpScheduled.exchange(true, ordering: .relaxed) else { return }
    queue.asyncAfter(deadline: .now() + Self.delay) { [self] in pump() }
  }

  /// Posts the events that are not yet posted. Runs on the queue.
  private func pump() {
    isPumpScheduled.store(false, ordering: .relaxed)
    guard let live = stage.withLock({ $0.live }) else { return }
    let new = live.events(from: board.withLock { $0.order.count })
    let (rows, isWaiting, count) = board.withLock { board in
      let rows = board.add(new, at: live.now)
      return (rows, board.order.isWaiting, board.order.count)
    }
    // A message with more rows would push all others out of the hub, so a snapshot without the first rows replaces it.
    if rows.run.rows.count > MessageHub.capacity {
      hub.post("session", message())
    } else if !rows.run.rows.isEmpty {
      hub.post("rows", rows)
    }
    if new.contains(where: { $0.kind == .requestBegin }), stage.withLock({ $0.performed.contains(where: \.isArmed) }) {
      postNetwork()
    }
    draw()
    queue.asyncAfter(deadline: .now() + Self.quiet) { [self] in
      if isWaiting { pump() } else { judge(ifStill: count) }
    }
  }

  /// Posts the screens, if they have changed. Can be called from any thread.
  private func draw() {
    guard !isDrawScheduled.exchange(true, ordering: .relaxed) else { return }
    runtime.scheduleOnMain { [self] in
      isDrawScheduled.store(false, ordering: .relaxed)
      let (program, live, file) = stage.withLock { ($0.program, $0.live, $0.played) }
      guard let live else { return }
      let (screens, isIdle, played) = (live.screens, live.isIdle, file?.message(in: live))
      queue.async { [self] in
        // Another session may have begun meanwhile.
        guard stage.withLock({ $0.live }) === live else { return }
        let message = ScreensMessage(screens, of: program, isIdle: isIdle, pictures)
        let (isOtherScreen, isOtherMove) = board.withLock { board in
          defer { (board.screens, board.played) = (message, played) }
          return (board.screens != message, board.played != played)
        }
        if isOtherScreen { hub.post("screens", message) }
        if isOtherMove, let played { hub.post("played", played) }
      }
    }
  }

  /// Judges the record, unless there are further events. A copy of the record makes the next event copy all events, so
  /// main copies a long one only when nothing is in flight. Runs on the queue.
  private func judge(ifStill count: Int) {
    guard count <= Self.longestJudged, let live = stage.withLock({ $0.live }), live.count == count else { return }
    runtime.scheduleOnMain { [self] in
      guard live.count == count, count <= Self.longestInFlight || live.isIdle else { return }
      let (record, scenario) = (live.record, live.played)
      queue.async { [self] in
        // Another session may have begun meanwhile, and an event that waits for its turn has no row yet.
        guard stage.withLock({ $0.live }) === live, !board.withLock({ $0.order.isWaiting }) else { return }
        for (rule, message, position) in LiveScenario.violations(of: scenario, in: record) {
          let remark = board.withLock { board in
            let row = position.flatMap { board.order.rows.indices.contains($0) ? board.order.rows[$0] : nil }
            return board.remarks.alarm(rule, message, row: row)
          }
          if let remark { hub.post("remark", remark) }
        }
      }
    }
  }

  // MARK: Tabs

  /// Gives a tab a position in the messages, after a snapshot if the tab has missed too many. Runs on the queue.
  private func position(_ tab: TabStream, after last: Int?) {
    pump()
    // The largest number has no successor. The sum is then no position of the hub.
    if let last, hub.messages(from: last &+ 1) != nil { return tab.start(at: last + 1) }
    let id = hub.nextID
    // The snapshot has the id of the last message, so that a tab that reconnects continues after it.
    tab.start(at: id, MessageHub.message("session", JSONText.line(message()), id: id - 1))
  }

  /// The state of the session for a tab that knows nothing.
  private func message() -> SessionMessage {
    let stage = stage.withLock { $0 }
    return board.withLock { board in
      SessionMessage(
        program: stage.program.id, title: stage.program.title, summary: stage.program.summary,
        variant: stage.program.variant == Scenario.fixedVariant ? nil : stage.program.variant,
        programs: settings.programs.map { ["name": $0.id, "title": $0.title] }, strategies: settings.strategies,
        strategy: board.remarks.strategy ?? stage.strategy,
        images: stage.program.scenario.images.map { ["id": $0.id, "path": $0.path.text] },
        origin: stage.program.json["origin"] ?? [:], changes: stage.changes,
        scenarios: settings.scenarios.compactMap(\.scenario).map { ["name": $0.name, "title": $0.title] },
        played: board.played, run: board.run.suffix(MessageHub.capacity), screens: board.screens,
        remark: board.remarks.last, alarms: board.remarks.alarms, hasTools: settings.useTool != nil)
    }
  }

  // MARK: Tools

  /// Records the session as a scenario file. A tab with this name downloads the file, if no folder was given.
  func record(for tab: String) {
    recording { [self] recording in
      guard let recording else { return }
      let data = Data(recording.text.utf8)
      guard data.count <= SourceText.largest else {
        return hub.post("failure", ["message": "The session is too long for a scenario file, which has at most 1 MiB."])
      }
      var message = RecordingMessage(
        tab: tab, file: "\(recording.name).json", steps: recording.steps, afterEvents: recording.afterEvents, path: nil)
      do {
        message.path = try settings.save?(data, message.file)
      } catch {
        return hub.post("failure", ["message": "\(error)"])
      }
      if message.path == nil { results.keep(data, as: message.file, type: "application/json") }
      hub.post("recorded", message)
    }
  }

  /// Runs a tool on the recorded session in a child process, and posts its result. Returns false if a tool is running, or
  /// if there are none.
  func use(_ tool: LiveTool) -> Bool {
    guard let use = settings.useTool, !isToolRunning.exchange(true, ordering: .relaxed) else { return false }
    let hasSwitches = tool == .everyStrategy && stage.withLock { $0.performed.contains(where: \.switchesStrategy) }
    recording(keepsSwitches: tool != .everyStrategy) { [self] recording in
      guard let recording else { return isToolRunning.store(false, ordering: .relaxed) }
      hub.post("tool", ToolMessage(tool: tool.rawValue, isRunning: true))
      let file = settings.folder.appending(path: "\(recording.name).json")
      let page = settings.folder.appending(path: "\(recording.name)-\(tool.rawValue).html")
      _ = runtime.task { [self] in
        var message = ToolMessage(tool: tool.rawValue, isRunning: false)
        do {
          try Data(recording.text.utf8).write(to: file)
          let result = try await use(tool, file, page)
          (message.ok, message.sentences) = (result.ok, result.sentences)
          if hasSwitches { message.sentences.append("Each run keeps its strategy. Your switches are left out.") }
          if let html = try? Data(contentsOf: page) {
            results.keep(html, as: page.lastPathComponent, type: "text/html; charset=utf-8")
            message.page = page.lastPathComponent + (result.position.map { "#\($0)" } ?? "")
          }
        } catch {
          message.error = "\(error)"
        }
        try? FileManager.default.removeItem(at: page)
        isToolRunning.store(false, ordering: .relaxed)
        queue.async { [self, message] in hub.post("tool", message) }
      }
    }
    return true
  }

  /// Calls `action` with the session so far on the queue, or with nil on main if a file is played.
  ///
  /// - Parameter keepsSwitches: whether the recorded steps include those that switch the strategy.
  private func recording(keepsSwitches: Bool = true, _ action: @escaping @Sendable (RecordedSession?) -> Void) {
    runtime.scheduleOnMain { [self] in
      let stage = stage.withLock { $0 }
      // A step that the page has accepted belongs to the record.
      guard stage.waiting.isEmpty else {
        return afterWaiting { [self] in recording(keepsSwitches: keepsSwitches, action) }
      }
      guard let live = stage.live, stage.played == nil else { return action(nil) }
      let (record, isIdle, now, screens, played) = (live.record, live.isIdle, live.now, live.screens, live.played)
      queue.async {
        let performed = stage.performed.filter { keepsSwitches || !$0.switchesStrategy }
        let wrong = Set(LiveScenario.violations(of: played, in: record).compactMap(\.position))
        action(
          RecordedSession(
            stage.program, strategy: stage.strategy, performed, record, wrong: wrong, screens, isIdle: isIdle,
            now: now))
      }
    }
  }
}
