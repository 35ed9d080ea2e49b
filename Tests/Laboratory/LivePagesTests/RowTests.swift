import EventBus
import RunPages
import ScenarioFormat
import Testing

@testable import LivePages
@testable import ScenarioEngine

/// The rows and sentences of the page, made from given events.
@Suite struct RowTests {
  private func event(_ kind: TraceKind, _ milliseconds: Int, _ image: String = "A") -> RunEvent {
    RunEvent(kind: kind, time: .milliseconds(milliseconds), values: [.image: image])
  }

  @Test("A request that starts before the event of its fetch is placed after the event")
  func aRequestFollowsTheStartOfItsFetch() {
    var order = EventOrder()
    let events = [
      event(.viewSelect, 1), event(.requestBegin, 2), event(.requestEnd, 3), event(.uiUpdate, 4),
      event(.fetchStart, 5), event(.fetchDone, 6),
    ]
    let shown = events.flatMap { order.take($0) }
    #expect(shown.map(\.kind) == [.viewSelect, .uiUpdate, .fetchStart, .requestBegin, .requestEnd, .fetchDone])
    #expect(shown.map(\.time) == [1, 4, 5, 5, 5, 6].map { .milliseconds($0) })
    #expect(order.rows == [0, 3, 4, 1, 2, 5])
    #expect(!order.isWaiting)
  }

  @Test("A repeated request of a fetch in flight, and a request without an image, keep their places")
  func otherRequestsKeepTheirPlaces() {
    var order = EventOrder()
    let events = [event(.fetchStart, 1), event(.requestBegin, 2), event(.requestBegin, 3), event(.requestBegin, 4, "")]
    #expect(events.flatMap { order.take($0) }.map(\.time) == events.map(\.time))
  }

  @Test("A request that no fetch follows is shown after a while") func aRequestWithoutAFetchIsShown() {
    var order = EventOrder()
    #expect(order.take(event(.requestBegin, 10)).isEmpty)
    #expect(order.isWaiting)
    #expect(order.overdue(at: .milliseconds(109)).isEmpty)
    #expect(order.overdue(at: .milliseconds(110)).count == 1)
  }

  @Test("The end of a fetch is placed after its response, and later events after the end")
  func theEndOfAFetchFollowsItsResponse() {
    var order = EventOrder()
    let events = [
      event(.fetchStart, 1), event(.requestBegin, 2), event(.fetchStart, 3, "B"), event(.requestBegin, 4, "B"),
      event(.fetchFailed, 5), event(.uiUpdate, 6), event(.fetchDone, 7, "B"), event(.requestEnd, 8), event(.note, 9),
      event(.requestEnd, 10, "B"),
    ]
    let shown = events.flatMap { order.take($0) }
    #expect(
      shown.map(\.kind) == [
        .fetchStart, .requestBegin, .fetchStart, .requestBegin, .requestEnd, .fetchFailed, .uiUpdate, .requestEnd,
        .fetchDone, .note,
      ])
    #expect(shown.map(\.time) == [1, 2, 3, 4, 8, 8, 8, 10, 10, 10].map { .milliseconds($0) })
    #expect(order.rows == [0, 1, 2, 3, 5, 6, 8, 4, 9, 7])
    #expect(!order.isWaiting)
  }

  @Test("A fetch that ends without a response is shown after a while, with what follows it")
  func aFetchWithoutAResponseIsShown() {
    var order = EventOrder()
    let events = [
      event(.fetchStart, 1), event(.requestBegin, 2), event(.fetchFailed, 10), event(.uiUpdate, 20),
      event(.fetchDone, 30),
    ]
    #expect(events.flatMap { order.take($0) }.count == 2)
    #expect(order.isWaiting && order.overdue(at: .milliseconds(109)).isEmpty)
    #expect(order.overdue(at: .milliseconds(110)).map(\.kind) == [.fetchFailed, .uiUpdate, .fetchDone])
    #expect(order.rows == [0, 1, 2, 3, 4] && !order.isWaiting)
    #expect(order.take(event(.requestEnd, 120)).count == 1)
  }

  @Test("An origin step has a sentence that names the response, and what follows")
  func anOriginStepHasASentence() throws {
    let missing = Scenario.Response(status: 404)
    var refused = Scenario.Response()
    refused.fault = .refuse
    func sentence(_ action: Scenario.Action) -> String? { action.originWords(about: "A")?.sentence }
    #expect(
      sentence(.origin(Scenario.Route(path: "/a.png", responses: [missing])))
        == "From now on, A gets a 404. A fetch fails until you repair the network.")
    #expect(
      sentence(.origin(Scenario.Route(path: "/a.png", responses: [missing, Scenario.Response()])))
        == "The next response to A is a 404, and those after it are as scripted. So one fetch of A fails.")
    #expect(sentence(.originOfAll(Scenario.Route(responses: [refused])))?.contains("the origin is offline") == true)
    let repaired = "The origin responds as scripted again. Select a failed picture to fetch it again."
    #expect(
      sentence(.originOfAll(nil)) == "The fault of every address has ended. Select a failed picture to fetch it again.")
    #expect(sentence(.origin(Scenario.Route(path: "/a.png", responses: [Scenario.Response()]))) == repaired)
    #expect(sentence(.memoryWarning) == nil)
  }

  @Test("A sentence says why a view draws a picture: an event, or the model that already has it")
  func aDrawingNamesItsReason() {
    var finder = RemarkFinder()
    let name: TraceValues = [.topic: "ImageFetched", .image: "A", .subscriber: "detail"]
    let view: TraceValues = [.view: "detail", .image: "A", .lane: TraceLane.user.rawValue]
    let drawn: TraceValues = [.view: "detail", .shown: "A"]
    func take(_ kind: TraceKind, _ values: TraceValues) -> String? {
      finder.take(RunEvent(kind: kind, time: .zero, values: values, subscription: 1))?.text
    }
    #expect(take(.viewSelect, view) == nil)
    #expect(take(.busSubscribe, name) == nil)
    #expect(take(.uiUpdate, [.view: "detail", .shown: "placeholder"]) == nil)
    #expect(take(.fetchDone, [.image: "A"]) == nil)
    #expect(take(.busDeliver, name) == nil)
    #expect(
      take(.uiUpdate, drawn) == "detail draws A: the bus delivered `ImageFetched` to its subscription of event 2.")
    #expect(take(.viewDisappear, view) == nil)
    #expect(take(.viewAppear, view) == nil)
    #expect(take(.uiUpdate, drawn) == "detail reads A from the model, which already has it. No event is needed.")
    // A picture that arrived after the selection was not in the model before, and no event was delivered.
    #expect(take(.viewSelect, view) == nil)
    #expect(take(.fetchDone, [.image: "A"]) == nil)
    #expect(take(.uiUpdate, drawn) == nil)
  }

  @Test("A subscriber with two subscriptions to an event gets a sentence that names both")
  func aDoubleDeliveryNamesBothSubscriptions() {
    var finder = RemarkFinder()
    let name: TraceValues = [.topic: "ImageFetched", .image: "A", .subscriber: "detail"]
    func take(_ kind: TraceKind, _ values: TraceValues, _ subscription: Int? = nil) -> Remark? {
      finder.take(RunEvent(kind: kind, time: .zero, values: values, subscription: subscription))
    }
    #expect(take(.busSubscribe, name, 1) == nil)
    #expect(take(.busSubscribe, name, 2) == nil)
    #expect(take(.busDeliver, name, 1) == nil)
    let drawn = take(.uiUpdate, [.view: "detail", .shown: "A"])
    #expect(drawn?.text == "detail draws A: the bus delivered `ImageFetched` to its subscription of event 1.")
    #expect(
      take(.busDeliver, name, 2)?.text
        == "detail gets `ImageFetched A` 2 times: its subscriptions of the events 1 and 2 are open.")
  }

  @Test("If the newer of two subscriptions of one name ends, the older one stays open and is named")
  func theSubscriptionThatEndsIsTheOneOfTheEvent() throws {
    let name: TraceValues = [.topic: "ImageFetched", .image: "A", .subscriber: "detail"]
    let kinds: [(TraceKind, Int?)] = [(.busSubscribe, 7), (.busSubscribe, 8), (.busUnsubscribe, 8), (.busDeliver, 7)]
    var (finder, run) = (RemarkFinder(), GrowingRun(try TestPage.program().scenario))
    for (kind, subscription) in kinds {
      let event = RunEvent(kind: kind, time: .zero, values: name, subscription: subscription)
      #expect(finder.take(event) == nil)
      run.add(event)
    }
    let drawn = finder.take(RunEvent(kind: .uiUpdate, time: .zero, values: [.view: "detail", .shown: "A"]))
    #expect(drawn?.text == "detail draws A: the bus delivered `ImageFetched` to its subscription of event 1.")
    #expect(run.growth().bars.map(\.bar.end) == [nil, 2])
    #expect(run.growth().bars.isEmpty)
  }

  @Test("A post without a subscriber names the end of the subscription") func aLatePostNamesItsCause() {
    var finder = RemarkFinder()
    let values: TraceValues = [.topic: "ImageFetched", .image: "A", .subscriber: "detail"]
    #expect(finder.take(RunEvent(kind: .note, time: .zero)) == nil)
    #expect(finder.take(RunEvent(kind: .busUnsubscribe, time: .milliseconds(5), values: values)) == nil)
    var late = values
    late[.subscriber] = Scenario.noSubscriber
    let remark = finder.take(RunEvent(kind: .busPost, time: .milliseconds(9), values: late))
    #expect(remark?.causes == [1])
    #expect(remark?.row == 2)
    late[.topic] = "ImageFetchStarted"
    #expect(finder.take(RunEvent(kind: .busPost, time: .milliseconds(9), values: late)) == nil)
  }
}
