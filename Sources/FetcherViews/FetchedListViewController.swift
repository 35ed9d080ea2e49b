public import EventBus
public import FetcherModel

/// A page of rows that a service has, without a screen: they are asked for when the page appears, and again as long as they are
/// missing.
@MainActor public final class FetchedListViewController<Row: Sendable & Equatable, Failure: Error & Equatable> {
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
    @MainActor (_ completion: @escaping @Sendable (Result<[Row], Failure>) -> Void) -> any Cancellation

  /// What the page shows now, or showed last.
  public private(set) var screen = Screen()
  /// Whether the page is on the screen.
  public private(set) var isVisible = false
  /// Counts the questions: the answer to an earlier one is late.
  private var generation = 0
  private var question: (any Cancellation)?
  private let runtime: any Runtime
  var fetch: Fetch
  private let onDraw: @MainActor (Screen) -> Void
  private let onArrival: @MainActor ([Row]) -> Void

  /// - Parameters:
  ///   - environment: the environment whose main scheduler the page lives on.
  ///   - fetch: asks the service.
  ///   - onDraw: called after each change of the screen, while the page is visible.
  ///   - onArrival: called with rows that have arrived, after they are drawn.
  public init(
    in environment: FetchEnvironment, fetch: @escaping Fetch, onDraw: @escaping @MainActor (Screen) -> Void = { _ in },
    onArrival: @escaping @MainActor ([Row]) -> Void = { _ in }
  ) {
    runtime = environment.runtime
    self.fetch = fetch
    self.onDraw = onDraw
    self.onArrival = onArrival
  }

  /// The page is about to be seen.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    if screen.rows == nil { reload() } else { draw() }
  }

  /// The page is about to go: nothing reaches it after this call, and a question without an answer is called off.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
    screen.isLoading = false
    abandonQuestion()
  }

  /// Asks again, although there may be rows. What is shown stays until the answer comes. A page that nobody sees forgets its rows,
  /// and asks when it appears.
  public func reload() {
    guard isVisible else {
      screen.rows = nil
      return
    }
    abandonQuestion()
    screen.isLoading = true
    screen.alert = nil
    draw()
    let generation = generation
    let question = fetch { [weak self, runtime] result in
      runtime.assumeMainActor { self?.arrive(result, generation) }
    }
    if self.generation == generation, screen.isLoading { self.question = question }
  }

  /// The person has read the alert.
  public func dismissAlert() {
    screen.alert = nil
    draw()
  }

  private func abandonQuestion() {
    generation += 1
    question.take()?.cancel()
  }

  private func arrive(_ result: Result<[Row], Failure>, _ generation: Int) {
    guard self.generation == generation, isVisible else { return }
    question = nil
    screen.isLoading = false
    switch result {
    case .success(let rows): screen.rows = rows
    case .failure(let error): screen.alert = error
    }
    draw()
    if case .success(let rows) = result { onArrival(rows) }
  }

  /// Changes a row, as something else than the service has news of it.
  func update(_ rows: [Row]) {
    if screen.rows != nil { screen.rows = rows }
    draw()
  }

  private func draw() {
    if isVisible { onDraw(screen) }
  }
}
