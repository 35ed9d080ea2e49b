import EventBus
import FetcherModel
import ScenarioFormat
import Synchronization
import TutorialApps

/// Converts the bus's trace events into events of a run. The observer reads only the trace, and does not subscribe to
/// any events. Safe to use from any thread.
///
/// Every run contains the events of fetches and services, and the bus events from steps. Other bus events are recorded
/// only on request, and never schedule any work.
final class BusObserver: Sendable {
  /// The bus events to record.
  enum Extent {
    /// Only the events from steps.
    case stepsAlone
    /// All bus events. Events that no step published appear between the run's events.
    case annotations
    /// All bus events. Events that no step published are also events of the run.
    case events
  }

  private struct Subscriber {
    let id: UInt64
    let type: ObjectIdentifier
    let key: (any Hashable & Sendable)?
    let name: String

    init(_ step: EventBus::TraceEvent) {
      (id, type, key) = (step.subscription ?? 0, ObjectIdentifier(step.type), step.key)
      name = step.subscriber
    }

    /// Whether the subscriber receives events of this type and key.
    func takes(_ type: ObjectIdentifier, _ other: (any Hashable & Sendable)?) -> Bool {
      guard self.type == type else { return false }
      guard let key else { return true }
      return other.map { AnyHashable($0) == AnyHashable(key) } ?? false
    }
  }

  private struct State {
    /// The subscribers, in order of subscription.
    var subscribers: [Subscriber] = []
    /// The numbers of the subscriptions so far, by their identity on the bus. The identities differ between runs.
    var numbers: [UInt64: Int] = [:]
    /// For each unfinished post of the model, whether to remind the recorder when the post ends. The innermost is last.
    var owed: [Bool] = []
  }

  private let recorder: TraceRecorder
  private let log: ActivityLog?
  private let extent: Extent
  private let isClosed = Atomic(false)
  private let state = Locked(State())

  init(_ recorder: TraceRecorder, _ log: ActivityLog?, _ extent: Extent) {
    self.recorder = recorder
    self.log = log
    self.extent = extent
  }

  /// Stops recording.
  func close() { isClosed.store(true, ordering: .relaxed) }

  /// Processes a trace event of the bus.
  func take(_ step: EventBus::TraceEvent) {
    log?.note(step)
    guard !isClosed.load(ordering: .relaxed) else { return }
    switch step.kind {
    case .posted: post(step)
    case .accepted, .unhandled: endPost(step)
    case .delivering: record(.busDeliver, step)
    case .failed: record(.busFail, step)
    case .dropped: record(.busDrop, step)
    case .discarded: record(.busDiscard, step)
    case .subscribed:
      if extent != .stepsAlone { state.withLock { $0.subscribers.append(Subscriber(step)) } }
      record(.busSubscribe, step)
    case .cancelled:
      if extent != .stepsAlone {
        state.withLock { state in state.subscribers.removeAll { $0.id == step.subscription } }
      }
      record(.busUnsubscribe, step)
    case .delivered: break
    }
  }

  private func post(_ step: EventBus::TraceEvent) {
    if Self.isRecorded(step.type), let (kind, values) = step.event.flatMap(Self.modelEvent) {
      let isKept = recorder.recordSilently(kind, values)
      state.withLock { $0.owed.append(isKept) }
    }
    let subscribers = extent == .stepsAlone ? nil : self.subscribers(of: step)
    // A progress event without subscribers exists only for the trace.
    if step.type == ImageFetchProgress.self, subscribers?.isEmpty != false { return }
    record(.busPost, step, subscribers)
  }

  /// Ends a post. Steps that wait for the post resume after the items that the post has scheduled.
  private func endPost(_ step: EventBus::TraceEvent) {
    guard Self.isRecorded(step.type) else { return }
    if state.withLock({ $0.owed.popLast() }) == true { recorder.remind() }
  }

  private func subscribers(of post: EventBus::TraceEvent) -> [String] {
    let (type, key) = (ObjectIdentifier(post.type), post.key)
    return state.withLock { state in
      state.subscribers.reduce(into: []) { names, subscriber in
        if subscriber.takes(type, key), !names.contains(subscriber.name) { names.append(subscriber.name) }
      }
    }
  }

  private func record(_ kind: TraceKind, _ step: EventBus::TraceEvent, _ subscribers: [String]? = nil) {
    let isOfStep = step.type == ScenarioEvent.self
    guard isOfStep || extent != .stepsAlone else { return }
    var values: TraceValues = [.topic: isOfStep ? step.key as? String ?? "" : "\(step.type)"]
    switch step.key {
    case let image as ImageID: values[.image] = image.name
    case let resource as ResourceID: values[.text] = resource.name
    case let slide as Slide.ID where !isOfStep: values[.text] = slide
    default: break
    }
    values[.subscriber] =
      kind == .busPost
      ? subscribers.map { $0.isEmpty ? Scenario.noSubscriber : $0.joined(separator: "\n") } : step.subscriber
    let subscription = step.subscription.map(number)
    guard isOfStep else {
      return recorder.recordStep(
        ofBus: kind, values, subscription: subscription, isAnnotation: extent == .annotations)
    }
    let isOfUser = kind == .busSubscribe || kind == .busUnsubscribe
    recorder.record(kind, values, lane: isOfUser ? .user : nil, request: nil, subscription: subscription)
  }

  private func number(of subscription: UInt64) -> Int {
    state.withLock { state in
      let number = state.numbers[subscription] ?? state.numbers.count + 1
      state.numbers[subscription] = number
      return number
    }
  }

  /// Whether every run records the model's events of this type, regardless of which bus events it records.
  private static func isRecorded(_ type: any Event.Type) -> Bool {
    type == ImageFetchStarted.self || type == ImageFetched.self || type == ImageFetchProgress.self
      || type == ImageFetchFailed.self || type == ImageFetchCancelled.self || type == ServiceResponded.self
  }

  private static func modelEvent(_ event: any Event) -> (TraceKind, TraceValues)? {
    switch event {
    case let event as ImageFetchStarted: (.fetchStart, [.image: event.name, .strategy: event.strategy.description])
    case let event as ImageFetchProgress: (.fetchProgress, [.image: event.name])
    case let event as ImageFetched: (.fetchDone, [.image: event.name, .strategy: event.strategy.description])
    case let event as ImageFetchFailed:
      (
        .fetchFailed,
        [.image: event.name, .strategy: event.strategy.description, .error: event.error.category.rawValue]
      )
    case let event as ImageFetchCancelled:
      (.fetchCancelled, [.image: event.name, .strategy: event.strategy.description])
    case let event as ServiceResponded:
      (
        .serviceAnswer,
        [
          .path: ScenarioPath.path(of: event.url).text, .status: "\(event.status)",
          .text: event.headers.map { "\($0.name): \($0.value)" }.joined(separator: ", "),
        ]
      )
    default: nil
    }
  }
}

extension EventBus::TraceEvent {
  /// The name of the subscription, or its source location if it has no name.
  fileprivate var subscriber: String { name ?? "\(fileID):\(line)" }
}

/// An event that a scenario's step publishes.
struct ScenarioEvent: KeyedEvent {
  let topic: String
  var key: String { topic }
}
