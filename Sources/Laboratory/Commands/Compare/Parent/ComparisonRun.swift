import CommandLineTool
import Comparison
import EventBus
import Foundation
import OriginServer
import ScenarioEngine

/// Measures all contenders in all workloads, block by block. Each run is a separate process.
struct ComparisonRun: Sendable {
  let settings: ComparisonRecord.Settings
  /// The scenario that is measured instead of the workloads, or nil.
  let scenario: ComparedScenario?
  let allowsPlainHTTP: Bool
  let child: ChildProcess
  /// The https setup, or nil if no child needs other root certificates.
  let secure: SecureSetup?
  let context: CommandContext
  /// Returns the decisions of a sequential comparison, based on the samples recorded so far.
  let decisions: @Sendable () -> [Decision]
  /// Receives each complete sample, on any thread.
  let record: @Sendable (Sample) -> Void

  /// The factor in a run's time limit, which is half a minute plus this factor times the run's expected time.
  private static let timeoutFactor = 10.0

  /// Runs each workload's blocks, then the additional blocks of a sequential comparison.
  ///
  /// - Returns: the reason why the comparison ended early because the user's server failed repeatedly, or nil.
  func run(_ progress: ProgressLine, _ runtime: any Runtime) async throws -> String? {
    let start = runtime.now
    for (index, workload) in settings.workloads.enumerated() {
      context.notesUnlessTerminal(
        "measuring \(workload.workload.situation) (\(workload.situation.name)): \(workload.summary)")
      let stopped = try await measure(index, contenders(for: workload), 0...settings.blocks, progress, runtime) { true }
      if let stopped { return stopped }
    }
    guard let until = settings.until else { return nil }
    var next = settings.blocks + 1
    while true {
      let open = decisions().filter { !$0.open.isEmpty }
      if open.isEmpty { return nil }
      for decision in open {
        guard let index = settings.workloads.firstIndex(where: { $0.situation == decision.situation }) else { continue }
        let names = decision.open.map(\.name).joined(separator: ", ")
        context.notesUnlessTerminal(
          "open after \(decision.blocks) blocks: \(decision.situation.name): \(names)")
        let block = Double(decision.open.count) * WorkloadDefaults.seconds(settings.workloads[index])
        let stopped = try await measure(index, decision.open, next...next + Self.addedBlocks - 1, progress, runtime) {
          (runtime.now - start).inSeconds + block < until.limit
        }
        if let stopped { return stopped }
        guard (runtime.now - start).inSeconds + block < until.limit else { return nil }
      }
      next += Self.addedBlocks
    }
  }

  /// The number of blocks that a sequential comparison adds before it decides again.
  private static let addedBlocks = 5

  /// Measures blocks of one workload until there is no time left.
  private func measure(
    _ index: Int, _ contenders: [Contender], _ blocks: ClosedRange<Int>, _ progress: ProgressLine,
    _ runtime: any Runtime, _ hasTime: () -> Bool
  ) async throws -> String? {
    let settings = self.settings.workloads[index]
    let content = Workload.measurable.contains(settings.workload) ? WorkloadContent(settings) : nil
    let steps = try scenario.map { try ComparedScenario.Server($0, context) }
    let origin = try content.map { try context.startOrigin($0.origin) }
    defer {
      origin?.stop()
      steps?.stop()
    }
    var front: TLSFront?
    if let origin, let secure {
      front = try await secure.startFront(before: origin.port, settings.situation.transport, runtime)
    }
    let key = front.map { front in context.shutdown.atEnd { front.stop() } }
    defer {
      front?.stop()
      if let key { context.shutdown.forget(key) }
    }
    var orders = BlockOrder.orders(
      of: contenders, blocks: blocks.count,
      seed: self.settings.seed &+ UInt64(index) &+ UInt64(blocks.lowerBound) << 32)
    // In the warm-up, the order does not matter. The reference runs first because its error messages are the most
    // informative.
    if blocks.lowerBound == 0 { orders[0] = contenders }
    let server = Server(content: content, steps: steps, origin: steps?.origin ?? origin, front: front)
    for (block, order) in zip(blocks, orders) where hasTime() {
      for (position, contender) in order.enumerated() {
        progress.show("\(settings.situation.name), block \(block) of \(self.settings.blocks), \(contender.name)")
        var sample = Sample(
          workload: settings.workload, transport: settings.transport, block: block, position: position,
          contender: contender.name)
        let stopped = try await measure(contender, settings, server, &sample, runtime)
        record(sample)
        progress.advance(by: WorkloadDefaults.seconds(settings))
        if let stopped { return stopped }
      }
    }
    return nil
  }

  /// Returns the contenders that can load a workload's addresses. The bare API is included only over http, in workloads
  /// where it does the same work as the model.
  func contenders(for workload: WorkloadSettings) -> [Contender] {
    settings.contenders.filter { contender in
      (contender.role != .bare || [.list, .gallery, .wait].contains(workload.workload) && workload.transport == nil)
        && workload.canBeLoaded(by: contender)
    }
  }

  /// The server side of a workload. All properties are nil if the workload uses the user's server.
  private struct Server {
    let content: WorkloadContent?
    let steps: ComparedScenario.Server?
    let origin: OriginServer?
    let front: TLSFront?

    /// The port that accepts requests.
    var port: UInt16? { front?.port ?? origin?.port }

    static let endedFront = "nginx, which provides https, has ended"

    func begin() {
      if let content { origin?.replace(content.origin) }
      steps?.begin()
      origin?.resetCounters()
      front?.begin()
    }

    /// Adds the server's counts for one run to the sample.
    func add(to sample: inout Sample, _ runtime: any Runtime) async {
      guard let origin else { return }
      var counters = origin.counters
      if let front {
        guard let counts = await front.counts(runtime) else {
          sample.failure =
            await front.isRunning(runtime)
            ? "nginx still had connections five seconds after the run" : Self.endedFront
          return
        }
        counts.apply(to: &counters)
        counts.add(to: &sample)
      }
      content?.add(counters, to: &sample)
    }
  }

  /// The approximate duration in seconds. For a sequential comparison, it is the time limit.
  var expectedSeconds: Double {
    if let until = settings.until { return until.limit }
    return settings.workloads.reduce(0) { sum, workload in
      let runs = contenders(for: workload).count * (settings.blocks + 1)
      return sum + Double(runs) * WorkloadDefaults.seconds(workload)
    }
  }

  private func measure(
    _ contender: Contender, _ settings: WorkloadSettings, _ server: Server, _ sample: inout Sample,
    _ runtime: any Runtime
  ) async throws -> String? {
    let strategy: String? =
      switch contender.role {
      case .bare: nil
      case .control: self.settings.contenders.first { $0.role == .reference }?.name
      case .reference, .strategy, .floor: contender.name
      }
    let line = try server.port.flatMap { try Self.delayLine(to: $0, settings.network) }
    let key = line.map { line in context.shutdown.atEnd { line.stop() } }
    defer { if let key { context.shutdown.forget(key) } }
    let scheme = settings.situation.transport.isSecure ? "https" : "http"
    let plan = MeasurePlan(
      settings: settings, strategy: strategy,
      base: (line?.port ?? server.port).map { "\(scheme)://127.0.0.1:\($0)/" },
      control: server.steps?.control.baseURL.absoluteString,
      keepsSeries: sample.block == 1, allowsPlainHTTP: allowsPlainHTTP,
      hasRootCertificate: settings.urls != nil && secure != nil)
    if let front = server.front, !(await front.isRunning(runtime)) {
      sample.failure = Server.endedFront
      return nil
    }
    server.begin()
    let words = [
      MeasureCommand.command.name, MeasureCommand.plan.name,
      String(decoding: try JSONEncoder().encode(plan), as: UTF8.self),
    ]
    let limit = Duration.seconds(30 + Self.timeoutFactor * WorkloadDefaults.seconds(settings))
    let child = settings.needsHTTPS ? secure?.roots.trusted(by: self.child) : nil
    let outcome = try await (child ?? self.child).run(words, limit: limit)
    // A request that is still in flight must not be counted in the next run.
    line?.stop()
    if line != nil, server.front == nil { _ = server.origin?.wait { $0.open == 0 } }
    guard outcome.end == .exited(0), let result = try? JSONDecoder().decode(MeasureResult.self, from: outcome.output)
    else {
      sample.failure = "the process \(outcome.end)"
      return nil
    }
    var measured = sample
    measured.values = result.values
    measured.latencies = result.latencies
    measured.serviceTimes = result.serviceTimes
    measured.series = result.series
    measured.stalls = result.stalls
    await server.add(to: &measured, runtime)
    server.steps?.add(missing: result.missing ?? [], to: &measured)
    if let failure = result.failure ?? measured.failure { sample.failure = failure } else { sample = measured }
    return result.stopped
  }
}

extension ComparisonRun {
  /// Returns the simulated network for one run, or nil for none. The simulation runs in the server's process, so it
  /// does not use the measured process's CPU time.
  fileprivate static func delayLine(
    to port: UInt16, _ network: NetworkSettings?
  ) throws(CommandFailure) -> DelayLine? {
    guard let network else { return nil }
    do {
      return try DelayLine(
        to: port, roundTrip: .seconds(network.roundTrip), bytesPerSecond: network.bandwidth.map { Int($0 / 8) })
    } catch {
      throw .cannotStart("\(error)")
    }
  }
}

extension CommandContext {
  /// Prints a note about the current work, unless a progress bar is shown.
  func notesUnlessTerminal(_ text: String) {
    if !ProgressLine.isShown { notes.line(notes.style(.dim, text)) }
  }
}
