import PlainText

/// The vocabulary of traces: the kinds of events, which are the same on both clocks.
package enum TraceKind: String, Sendable, CaseIterable {
  case viewAppear = "view.appear"
  case viewDisappear = "view.disappear"
  case viewSelect = "view.select"
  case viewDeselect = "view.deselect"
  case viewTap = "view.tap"
  case uiUpdate = "ui.update"
  case pageShow = "page.show"
  case fetchStart = "fetch.start"
  case fetchProgress = "fetch.progress"
  case fetchDone = "fetch.done"
  case fetchFailed = "fetch.failed"
  case fetchCancelled = "fetch.cancelled"
  case requestBegin = "request.begin"
  case requestEnd = "request.end"
  case serviceAnswer = "service.answer"
  case busPost = "bus.post"
  case busDeliver = "bus.deliver"
  case busSubscribe = "bus.subscribe"
  case busUnsubscribe = "bus.unsubscribe"
  case busDrop = "bus.drop"
  case busDiscard = "bus.discard"
  case busFail = "bus.fail"
  case cacheHit = "cache.hit"
  case memoryWarning = "memory.warning"
  case strategySwitch = "strategy.switch"
  case headersChange = "headers.change"
  case modelDrop = "model.drop"
  case originChange = "origin.change"
  case networkChange = "network.change"
  case note
}

extension TraceKind {
  /// The path of an event between lanes.
  package enum Course: Sendable, Equatable {
    /// A step, which passes from the user to main.
    case step
    case call(TraceLane, TraceLane)
    case reply(TraceLane, TraceLane)
    /// An event that stays within its lane.
    case local
    case toBus, fromBus
    /// A note in the scenario.
    case note

    /// Whether the event is a bus event, which a timeline shows in the bus column.
    package var isOfBus: Bool { self == .toBus || self == .fromBus }

    /// Whether the event can occur only if there is a matching step. `Reachability` handles the exceptions: programs with
    /// their own pages, and the model's bus events.
    var needsStep: Bool { self == .step || self == .note || isOfBus }
  }

  package struct Row: Sendable {
    /// A one-sentence description for authors of scenarios.
    package let help: String
    /// The attributes of every event of this kind, in addition to the lane.
    package let attributes: [TraceAttribute]
    package let course: Course
    /// The kinds of events that end the span that an event of this kind begins.
    package let ends: [TraceKind]

    fileprivate init(_ help: String, _ attributes: [TraceAttribute], _ course: Course, ends: [TraceKind] = []) {
      (self.help, self.attributes, self.course, self.ends) = (help, attributes, course, ends)
    }
  }

  package var row: Row {
    switch self {
    case .viewAppear: Row("a view is about to appear", [.view], .step, ends: [.viewDisappear])
    case .viewDisappear: Row("a view is about to disappear", [.view], .step)
    case .viewSelect: Row("an image was selected in a view", [.view, .image], .step)
    case .viewDeselect: Row("the selection of a view was cleared", [.view], .step)
    case .viewTap: Row("the user tapped a control in a view", [.view, .text], .step)
    case .uiUpdate: Row("a view drew itself", [.view, .image, .shown], .local)
    case .pageShow:
      Row(
        "a view drew content other than an image: its rows, or an error",
        [.view, .error, .text], .local)
    case .fetchStart:
      Row(
        "a fetch started, or joined one in flight",
        [.image, .strategy], .call(.main, .workers), ends: [.fetchDone, .fetchFailed, .fetchCancelled])
    case .fetchProgress: Row("bytes of an image arrived", [.image], .reply(.workers, .main))
    case .fetchDone: Row("a fetch ended with a picture", [.image, .strategy], .reply(.workers, .main))
    case .fetchFailed: Row("a fetch ended with an error", [.image, .strategy, .error], .reply(.workers, .main))
    case .fetchCancelled: Row("a fetch was cancelled", [.image, .strategy], .reply(.workers, .main))
    case .requestBegin:
      Row(
        "a request was sent",
        [.image, .path, .header], .call(.workers, .origin), ends: [.requestEnd])
    case .requestEnd:
      Row(
        "a request ended",
        [.image, .path, .status, .header, .error], .reply(.origin, .workers))
    case .serviceAnswer:
      Row(
        "a service received a response; `text` is its header fields",
        [.path, .status, .text], .reply(.origin, .workers))
    case .busPost:
      Row(
        "a step or the model posted an event on the bus, to the current subscribers",
        [.topic, .image, .subscriber], .toBus)
    case .busDeliver: Row("a subscriber received an event", [.topic, .image, .subscriber], .fromBus)
    case .busSubscribe:
      Row(
        "a subscriber subscribed to a topic, or to the events of one image",
        [.topic, .image, .subscriber], .toBus)
    case .busUnsubscribe: Row("a subscription ended", [.topic, .image, .subscriber], .toBus)
    case .busDrop:
      Row(
        "a subscriber's mailbox was full, so an event was dropped",
        [.topic, .image, .subscriber], .fromBus)
    case .busDiscard:
      Row(
        "a subscription ended with an event that it had accepted, so the event was discarded",
        [.topic, .image, .subscriber], .fromBus)
    case .busFail: Row("the handler of a subscriber failed", [.topic, .image, .subscriber], .fromBus)
    case .cacheHit: Row("a selected image was in the cache", [.image], .local)
    case .memoryWarning: Row("the cache was emptied", [], .step)
    case .strategySwitch: Row("another strategy was selected", [.strategy], .step)
    case .headersChange: Row("later fetches send different header fields", [.text], .step)
    case .modelDrop: Row("the program released an image", [.image], .step)
    case .originChange: Row("the origin changed its responses, for one path or for all", [.path], .step)
    case .networkChange:
      Row("the latency and the bandwidth of all responses changed; `text` is the new values", [.text], .step)
    case .note: Row("a `note` step was performed", [.text], .note)
    }
  }

  package var isOfBus: Bool { row.course.isOfBus }
}

/// An attribute of an event, in addition to its kind, time and number.
package enum TraceAttribute: String, Sendable, CaseIterable {
  /// The id of one of the scenario's images.
  case image
  case view
  case lane
  case strategy
  /// The content of a view: the id of an image, `placeholder`, `nothing`, or `unknown` for a picture that no response
  /// contains.
  case shown
  /// The header fields that the scenario's patterns mention, one per line, as `name: value` with a lowercase name.
  case header
  /// An HTTP status.
  case status
  /// The category of an error, such as `truncated`.
  case error
  /// The path of a request.
  case path
  /// The topic of a bus event. It is the topic in a step, or the name of a model event such as `ImageFetched`.
  case topic
  /// The name of a subscriber. For a post, it is the list of subscribers, one per line, or `none`.
  case subscriber
  case text

  /// Whether the value is a list with one entry per line. A pattern names one of the entries.
  package var isList: Bool { self == .header || self == .subscriber }
}

/// The lane of an event.
package enum TraceLane: String, Sendable, CaseIterable {
  /// The user, who performs the steps of a scenario.
  case user
  case main
  case workers
  case origin
}

/// The attributes of an event. Each attribute occurs at most once, and its value is a string.
///
/// This is not a dictionary, because there are so few attributes that a linear search is faster than hashing.
package struct TraceValues: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral {
  private var entries: [(TraceAttribute, String)]

  package init(dictionaryLiteral entries: (TraceAttribute, String)...) { self.entries = entries }

  package static func == (one: Self, other: Self) -> Bool {
    one.entries.count == other.entries.count && one.entries.allSatisfy { other[$0] == $1 }
  }

  package var isEmpty: Bool { entries.isEmpty }

  package subscript(attribute: TraceAttribute) -> String? {
    get {
      for entry in entries where entry.0 == attribute { return entry.1 }
      return nil
    }
    set {
      let index = entries.firstIndex { $0.0 == attribute }
      switch (index, newValue) {
      case (let index?, let text?): entries[index].1 = text
      case (let index?, nil): entries.remove(at: index)
      case (nil, let text?): entries.append((attribute, text))
      case (nil, nil): break
      }
    }
  }

  package func makeIterator() -> some IteratorProtocol<(TraceAttribute, String)> { entries.makeIterator() }
}

/// A pattern that matches events of one kind with certain values.
package struct EventPattern: Sendable, Equatable {
  package var kind: TraceKind
  package var values: TraceValues

  package init(kind: TraceKind = .note, values: TraceValues = [:]) {
    self.kind = kind
    self.values = values
  }

  /// Returns whether an event of this kind with these values matches. Values are compared by their bytes, because a
  /// path with a composed accent differs from one with a decomposed accent, although Swift's `==` treats them as equal.
  package func matches(_ kind: TraceKind, _ values: TraceValues) -> Bool {
    kind == self.kind && Self.have(values, self.values)
  }

  /// Returns whether the event's values include all wanted values. In a list, each line counts as a value.
  package static func have(_ values: TraceValues, _ wanted: TraceValues) -> Bool {
    wanted.allSatisfy { attribute, text in
      guard let value = values[attribute] else { return false }
      guard attribute.isList else { return value.utf8.elementsEqual(text.utf8) }
      return value.split(separator: "\n").contains { $0.utf8.elementsEqual(text.utf8) }
    }
  }

  /// The pattern as it appears in messages, such as `ui.update image=A view=detail`. The attributes have a fixed order.
  package var summary: String {
    let parts = TraceAttribute.allCases.compactMap { attribute in
      values[attribute].map { "\(attribute.rawValue)=\(visible($0))" }
    }
    return ([kind.rawValue] + parts).joined(separator: " ")
  }
}

/// The events of the model. Patterns use the names of these events as `topic`, and no step can post these events.
package enum ModelTopic: String, Sendable, CaseIterable {
  case fetchStarted = "ImageFetchStarted"
  case fetchProgress = "ImageFetchProgress"
  case fetched = "ImageFetched"
  case fetchFailed = "ImageFetchFailed"
  case fetchCancelled = "ImageFetchCancelled"
  case serviceChanged = "ServiceChanged"
  case serviceFailed = "ServiceFailed"
  case slidePictureFetched = "SlidePictureFetched"
  case slidePictureFailed = "SlidePictureFailed"
  case slideFavoriteChanged = "SlideFavoriteChanged"
  case serviceResponded = "ServiceResponded"
}
