public import EventBus
public import FetcherModel

/// A page of rows that a service has, without a screen: they are asked for when the page appears, and again as long as they are
/// missing.
///
/// Every member is for the main scheduler only.
public final class FetchedListViewController<Row: Sendable & Equatable, Failure: Error & Equatable>: Sendable {
  /// What a person would see.
  public struct Screen: Sendable, Equatable {
    /// The rows that arrived last, nil before any did.
    public var rows: [Row]?
    /// Whether further rows are on their way.
    public var isLoading = false
    /// Why the last question has no answer: an alert, until it is dismissed or the question is asked again.
    public var alert: Failure?
  }

  /// Asks for the rows.
  public typealias Fetch =
    @Sendable (_ completion: @escaping @Sendable (Result<[Row], Failure>) -> Void) -> any Cancellation

  private struct State {
    var isVisible = false
    var screen = Screen()
    /// Counts the questions: the answer to an earlier one is late.
    var generation = 0
    var question: (any Cancellation)?

    /// Abandons the request in flight and returns its handle.
    mutating func abandon() -> (any Cancellation)? {
      generation += 1
      return question.take()
    }
  }

  private let state: Confined<State>
  private let fetch: Fetch
  private let onDraw: @Sendable (Screen) -> Void
  private let onArrival: @Sendable ([Row]) -> Void

  /// - Parameters:
  ///   - environment: whose main scheduler the page lives on.
  ///   - fetch: asks the service.
  ///   - onDraw: called after each change of the screen, while the page is visible.
  ///   - onArrival: called with rows that have arrived, after they are drawn.
  public init(
    in environment: FetchEnvironment, fetch: @escaping Fetch, onDraw: @escaping @Sendable (Screen) -> Void = { _ in },
    onArrival: @escaping @Sendable ([Row]) -> Void = { _ in }
  ) {
    self.fetch = fetch
    self.onDraw = onDraw
    self.onArrival = onArrival
    state = Confined(environment.runtime.main, State())
  }

  /// What the page shows now, or showed last.
  public var screen: Screen { state.withValue { $0.screen } }

  /// Whether the page is on the screen.
  public var isVisible: Bool { state.withValue { $0.isVisible } }

  /// The page is about to be seen.
  public func viewWillAppear() {
    state.withValue { $0.isVisible = true }
    if screen.rows == nil { reload() } else { change { _ in } }
  }

  /// The page is about to go: nothing reaches it after this call, and a question without an answer is called off.
  public func viewWillDisappear() {
    let question = state.withValue { state in
      state.isVisible = false
      state.screen.isLoading = false
      return state.abandon()
    }
    question?.cancel()
  }

  /// Asks again, although there may be rows. What is shown stays until the answer comes. A page that nobody sees forgets its rows,
  /// and asks when it appears.
  public func reload() {
    guard isVisible else { return state.withValue { $0.screen.rows = nil } }
    let (generation, old) = state.withValue { state in
      let old = state.abandon()
      return (state.generation, old)
    }
    old?.cancel()
    change { screen in
      screen.isLoading = true
      screen.alert = nil
    }
    let question = fetch { [weak self] result in self?.arrive(result, generation) }
    state.withValue { state in
      if state.generation == generation, state.screen.isLoading { state.question = question }
    }
  }

  /// The person has read the alert.
  public func dismissAlert() { change { $0.alert = nil } }

  private func arrive(_ result: Result<[Row], Failure>, _ generation: Int) {
    guard state.withValue({ $0.generation == generation && $0.isVisible }) else { return }
    state.withValue { $0.question = nil }
    change { screen in
      screen.isLoading = false
      switch result {
      case .success(let rows): screen.rows = rows
      case .failure(let error): screen.alert = error
      }
    }
    if case .success(let rows) = result { onArrival(rows) }
  }

  /// Changes a row, as something else than the service has news of it.
  func update(_ rows: [Row]) { change { if $0.rows != nil { $0.rows = rows } } }

  private func change(_ change: (inout Screen) -> Void) {
    let (screen, isVisible) = state.withValue { state in
      change(&state.screen)
      return (state.screen, state.isVisible)
    }
    if isVisible { onDraw(screen) }
  }
}
