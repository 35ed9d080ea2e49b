import EventBus
import FetcherModel
import FetcherViews
import Testing
import VirtualTime

/// A service that answers when the test says so.
@Suite struct FetchedListViewControllerTests {
  private typealias Page = FetchedListViewController<Int, FetchError>

  private final class Service: Sendable {
    struct Question {
      let answer: @Sendable (Result<[Int], FetchError>) -> Void
      var isCalledOff = false
    }

    private struct CallOff: Cancellation {
      let service: Service
      let number: Int
      func cancel() { service.questions.withLock { $0[number].isCalledOff = true } }
    }

    let questions = Locked<[Question]>([])
    let screens = Locked<[Page.Screen]>([])
    let arrivals = Locked<[[Int]]>([])

    func ask(_ answer: @escaping @Sendable (Result<[Int], FetchError>) -> Void) -> any Cancellation {
      let number = questions.withLock { questions in
        questions.append(Question(answer: answer))
        return questions.count - 1
      }
      return CallOff(service: self, number: number)
    }

    func answer(_ number: Int, _ result: Result<[Int], FetchError>) {
      questions.withLock { $0[number].answer }(result)
    }

    /// What was drawn last.
    func expect(
      rows: [Int]?, isLoading: Bool, alert: FetchError?, _ location: SourceLocation = #_sourceLocation
    ) {
      #expect(last?.rows == rows, sourceLocation: location)
      #expect(last?.isLoading == isLoading, sourceLocation: location)
      #expect(last?.alert == alert, sourceLocation: location)
    }

    var calledOff: [Bool] { questions.withLock { $0.map(\.isCalledOff) } }
    var last: Page.Screen? { screens.withLock { $0.last } }
  }

  private let service = Service()

  /// Takes the steps of a test on the main scheduler of a runtime where everything happens at once.
  private func onPage(_ steps: @escaping @MainActor @Sendable (Page, Service) -> Void) {
    let runtime = ManualRuntime()
    let service = service
    runtime.scheduleOnMain {
      let page = Page(
        in: FetchEnvironment(runtime: runtime), fetch: { service.ask($0) },
        onDraw: { screen in service.screens.withLock { $0.append(screen) } },
        onArrival: { rows in service.arrivals.withLock { $0.append(rows) } })
      steps(page, service)
    }
    runtime.advance(by: .zero)
  }

  @Test("A page asks when it appears, shows that it loads and then the rows, and asks no more while it has them")
  func loads() {
    onPage { page, service in
      page.viewWillAppear()
      service.answer(0, .success([1, 2]))
      page.viewWillDisappear()
      page.viewWillAppear()
      #expect(service.questions.withLock { $0.count } == 1)
      #expect(service.screens.withLock { $0.map(\.isLoading) } == [true, false, false])
      #expect(service.last?.rows == [1, 2])
      #expect(service.arrivals.withLock { $0 } == [[1, 2]])
    }
  }

  @Test("An error is an alert beside the rows that are there, until it is dismissed")
  func alert() {
    onPage { page, service in
      page.viewWillAppear()
      service.answer(0, .success([1]))
      page.reload()
      service.answer(1, .failure(.badStatus(500)))
      service.expect(rows: [1], isLoading: false, alert: .badStatus(500))
      page.dismissAlert()
      service.expect(rows: [1], isLoading: false, alert: nil)
    }
  }

  @Test("A page whose rows are missing asks again when it appears again")
  func triesAgain() {
    onPage { page, service in
      page.viewWillAppear()
      service.answer(0, .failure(.timedOut))
      page.viewWillDisappear()
      page.viewWillAppear()
      service.expect(rows: nil, isLoading: true, alert: nil)
      service.answer(1, .success([]))
      #expect(service.last?.rows == [])
    }
  }

  @Test("Who leaves calls the question off, and nothing is drawn after that")
  func disappears() {
    onPage { page, service in
      page.viewWillAppear()
      page.viewWillDisappear()
      service.answer(0, .success([1]))
      #expect(service.calledOff == [true])
      #expect(service.screens.withLock { $0.count } == 1)
      #expect(service.arrivals.withLock { $0 } == [])
      #expect(!page.screen.isLoading && page.screen.rows == nil)
    }
  }

  @Test("The last question counts, though the answer to the first comes later")
  func lastQuestionCounts() {
    onPage { page, service in
      page.viewWillAppear()
      page.reload()
      service.answer(1, .success([2]))
      service.answer(0, .success([1]))
      #expect(service.calledOff == [true, false])
      #expect(service.last?.rows == [2])
    }
  }

  @Test("A page that nobody sees forgets its rows when it is to ask anew, and asks when it appears")
  func forgets() {
    onPage { page, service in
      page.viewWillAppear()
      service.answer(0, .success([1]))
      page.viewWillDisappear()
      page.reload()
      #expect(service.questions.withLock { $0.count } == 1)
      page.viewWillAppear()
      service.answer(1, .success([2]))
      #expect(service.last?.rows == [2])
    }
  }
}
