import EventBus
import FetcherModel
import Testing

@Suite struct RequestLifeTests {
  private final class Handle: Cancellation {
    func cancel() {}
  }

  private let entry = Handle()
  private let deadline = Handle()
  private let attempt = Handle()
  private let rest = Handle()
  private let limits = FetchLimits(retries: 2, retryDelay: .seconds(1), backoff: 3)

  private struct End {
    var entry: Handle?
    var work: Handle?
    var timer: Handle?
    var releasesPermit = false

    init(_ life: RequestLife) {
      switch life.end() {
      case .releasePermit(let entry):
        self.entry = entry as? Handle
      case .stop(let work, let deadline):
        (self.work, timer, releasesPermit) = (work as? Handle, deadline as? Handle, true)
      }
    }
  }

  private var running: RequestLife {
    var life = RequestLife()
    life.receivePermit()
    life.keep(deadline: deadline)
    life.callStrategy()
    return life
  }

  @Test("A queued request leaves the limiter and releases no permit when it ends")
  func queued() {
    var life = RequestLife()
    #expect(End(life).entry == nil)
    life.keep(entry: entry)
    #expect(End(life).entry === entry)
    #expect(!End(life).releasesPermit)
  }

  @Test("A limiter entry that arrives after the permit changes nothing")
  func lateEntry() {
    var life = RequestLife()
    life.receivePermit()
    life.keep(entry: entry)
    #expect(End(life).entry == nil)
    #expect(End(life).releasesPermit)
  }

  @Test("After the call of the strategy, a request holds its timer but no work yet")
  func called() {
    #expect(End(running).work == nil)
    #expect(End(running).timer === deadline)
    #expect(End(running).releasesPermit)
  }

  @Test("A request's work is the attempt, then the wait, then the next attempt")
  func work() {
    var life = running
    life.startFetch(attempt)
    #expect(End(life).work === attempt)
    #expect(life.endAttempt(restingWith: rest, limits) == .retry(after: .seconds(1)))
    #expect(End(life).work === rest)
    #expect(End(life).timer === deadline)
    life.callStrategy()
    #expect(End(life).work == nil)
    life.startFetch(attempt)
    #expect(End(life).work === attempt)
  }

  @Test("Each retry waits longer, until no retry is left")
  func retries() {
    var life = running
    let actions = (1...3).map { _ in
      life.callStrategy()
      life.startFetch(attempt)
      return life.endAttempt(restingWith: rest, limits)
    }
    #expect(actions == [.retry(after: .seconds(1)), .retry(after: .seconds(3)), .finish])
    #expect(End(life).work == nil)
    #expect(End(life).releasesPermit)
  }

  @Test("A result that is not worth a retry ends the request's work")
  func finish() {
    var life = running
    life.startFetch(attempt)
    #expect(life.endAttempt(restingWith: nil, limits) == .finish)
    #expect(End(life).work == nil)
    #expect(End(life).timer === deadline)
  }
}
