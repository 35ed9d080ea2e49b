import CommandLineTool
import Comparison
import EventBus
import FetcherModel
import Foundation
import ScenarioEngine
import ScenarioFormat

/// Measures one contender in one workload, in this process.
struct WorkloadRun: Sendable {
  let plan: MeasurePlan
  let runtime: any Runtime

  /// The number of consecutive failures after which a load sends no further requests to the user's server.
  private static let maximumFailures = 3

  /// - Throws: an error if the strategy does not exist.
  func measure() async throws -> MeasureResult {
    let workload = plan.settings.workload
    if let path = plan.settings.scenario { return try await perform(path) }
    let environment = try plan.strategy.map(makeEnvironment)
    let source: any ImageSource = environment.map { ModelSource(environment: $0) } ?? BareSource()
    ProcessUsage.forgetPeak()
    let memory = ProcessUsage.memory ?? 0
    let written = ProcessUsage.written
    let watchesQueues = workload.columns.contains(.mainStall)
    let probe = Probe(runtime, beats: watchesQueues)
    let cpu = ProcessUsage.cpu
    let begin = runtime.now
    let window = workload == .wait ? waitingCPU() : nil

    var result = MeasureResult()
    if workload.scrolls, let environment {
      await ScrollLoad(plan: plan, environment: environment).add(to: &result)
    } else {
      let load = ImageLoad(
        plan: plan, source: source, runtime: runtime, mostFailuresInARow: workload == .url ? Self.maximumFailures : nil)
      load.add(await load.run(), to: &result)
    }

    let seconds = (runtime.now - begin).inSeconds
    let used = ProcessUsage.cpu - cpu
    probe.stop()
    let arrived = result[.arrived] ?? 0
    if arrived > 0 {
      result[.throughput] = arrived / seconds
      result[.cpu] = used / arrived * 1000
    }
    result[.memory] = ProcessUsage.peakMemory.map { Double(max(0, $0 - memory)) }
    result[.threads] = probe.peakThreads.map(Double.init)
    if let written, let now = ProcessUsage.written { result[.temporary] = Double(Self.withoutNoise(now - written)) }
    if watchesQueues {
      result[.mainStall] = probe.mainStall
      result[.poolStall] = probe.poolStall
      if plan.keepsSeries { result.stalls = probe.stalls }
    }
    result[.waiting] = await window?.value
    if plan.keepsSeries { result.series = probe.series }
    environment?.shutDown()
    return result
  }

  /// Performs the steps of a scenario. A failed expectation is a result.
  private func perform(_ path: String) async throws -> MeasureResult {
    var (memory, cpu) = (0, 0.0)
    let run = try await ComparedScenario.run(
      path, plan.strategy ?? "", base: plan.base.map { String($0.dropLast()) } ?? "", control: plan.control ?? "",
      runtime
    ) {
      ProcessUsage.forgetPeak()
      (memory, cpu) = (ProcessUsage.memory ?? 0, ProcessUsage.cpu)
    }
    var result = MeasureResult()
    result[.cpuTime] = ProcessUsage.cpu - cpu
    result[.memory] = ProcessUsage.peakMemory.map { Double(max(0, $0 - memory)) }
    result[.failed] = Double(run.outcome.failures.count)
    let images = Set(run.scenario.images.map(\.id))
    let last = run.record.events.last { $0.kind == .uiUpdate && images.contains($0[.shown] ?? "") }?.time
    let asked = run.record.events.last { $0.kind == .viewSelect }?.time ?? .zero
    result[.lastPicture] = last.map { max(0, ($0 - asked).inSeconds) }
    let arrived = Set(run.record.events.filter { $0.kind == .fetchDone }.compactMap { $0[.image] })
    result.missing = run.scenario.images.filter { !arrived.contains($0.id) }.map(\.path.text)
    return result
  }

  private func makeEnvironment(_ strategy: String) throws -> FetchEnvironment {
    let isFlaky = plan.settings.workload == .flaky
    let limits = FetchLimits(retries: isFlaky ? 1 : 0, retryDelay: .milliseconds(20))
    let environment = FetchEnvironment(
      bus: EventBus(runtime: runtime), policy: TransportPolicy(allowsArbitraryLoads: plan.allowsPlainHTTP),
      limits: limits,
      sharesRequests: plan.settings.urls == nil)
    LaboratoryStrategies.register(in: environment)
    try environment.select(StrategyName(strategy))
    return environment
  }

  /// Returns the number of busy cores while the process is only waiting. The measurement starts after a quarter of the
  /// latency, when all requests have arrived, and stops shortly before the responses arrive.
  private func waitingCPU() -> Task<Double, Never> {
    let latency = Duration.seconds(plan.settings.latency)
    let arrival = Duration.seconds(1.5 * (plan.settings.network?.roundTrip ?? 0))
    return Task {
      await runtime.pause(arrival + latency / 4)
      let (cpu, time) = (ProcessUsage.cpu, runtime.now)
      await runtime.pause(latency * 0.6)
      return (ProcessUsage.cpu - cpu) / (runtime.now - time).inSeconds
    }
  }

  /// Returns zero for less than 100 kB, because Dispatch writes that much to wake its threads.
  private static func withoutNoise(_ bytes: Int) -> Int { bytes < 100_000 ? 0 : bytes }
}

/// `fetcher measure`: the child process of `compare`, which measures one contender.
enum MeasureCommand {
  static let plan = CommandOption("--plan", "JSON", "what to measure")

  static let command = Command(
    name: "measure", summary: "measures one strategy, as a child process of `compare`",
    options: [plan],
    example: "fetcher measure --plan '{...}'", isHidden: true, run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    guard let plan = arguments[plan].flatMap({ try? JSONDecoder().decode(MeasurePlan.self, from: Data($0.utf8)) })
    else { throw UsageError("measure needs --plan JSON; use `fetcher compare`, which starts it") }
    if let strategy = plan.strategy, !StrategyOption.program.all.contains(strategy) {
      throw UsageError.unknown("strategy", strategy, among: StrategyOption.program.all)
    }
    let parent = ParentWatch(context.shutdown)
    defer { parent.end() }
    let result = try await WorkloadRun(plan: plan, runtime: DispatchRuntime.shared).measure()
    context.output.line(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    return .success
  }
}
