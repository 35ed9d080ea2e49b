/// The vocabulary of traces: what can happen, the same on the real and on the virtual clock.
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
  case busFail = "bus.fail"
  case cacheHit = "cache.hit"
  case memoryWarning = "memory.warning"
  case strategySwitch = "strategy.switch"
  case headersChange = "headers.change"
  case modelDrop = "model.drop"
  case originChange = "origin.change"
  case note
}

extension TraceKind {
  /// The attributes of every event of this kind, beside the lane, which each one has.
  package var attributes: [TraceAttribute] {
    switch self {
    case .viewAppear, .viewDisappear, .viewDeselect: [.view]
    case .viewSelect: [.view, .image]
    case .viewTap: [.view, .text]
    case .uiUpdate: [.view, .image, .shown]
    case .pageShow: [.view, .error, .text]
    case .serviceAnswer: [.path, .status, .text]
    case .fetchStart, .fetchDone, .fetchCancelled: [.image, .strategy]
    case .fetchProgress: [.image]
    case .fetchFailed: [.image, .strategy, .error]
    case .requestBegin: [.image, .path, .header]
    case .requestEnd: [.image, .path, .status, .header, .error]
    case .busPost, .busDeliver, .busSubscribe, .busUnsubscribe, .busDrop, .busFail: [.topic, .image, .subscriber]
    case .cacheHit, .modelDrop: [.image]
    case .memoryWarning: []
    case .strategySwitch: [.strategy]
    case .originChange: [.path]
    case .headersChange, .note: [.text]
    }
  }

  /// What ends what an event of this kind begins; none where it only happens.
  package var ends: [TraceKind] {
    switch self {
    case .viewAppear: [.viewDisappear]
    case .fetchStart: [.fetchDone, .fetchFailed, .fetchCancelled]
    case .requestBegin: [.requestEnd]
    default: []
    }
  }

  /// Whether it is a step of the bus, which timelines show in a column of its own.
  package var isOfBus: Bool {
    switch self {
    case .busPost, .busDeliver, .busSubscribe, .busUnsubscribe, .busDrop, .busFail: true
    default: false
    }
  }

  /// One sentence for people who write scenarios.
  package var help: String {
    switch self {
    case .viewAppear: "a view is about to be seen"
    case .viewDisappear: "a view is about to go"
    case .viewSelect: "an image was chosen for a view"
    case .viewDeselect: "a view shows no image any more"
    case .viewTap: "a control of a view was touched"
    case .uiUpdate: "a view drew itself"
    case .pageShow: "a view drew what it shows besides an image: its rows, or what is wrong"
    case .serviceAnswer: "a service was answered, with the header fields as the text"
    case .fetchStart: "a fetch began, or joined one under way"
    case .fetchProgress: "bytes of an image arrived"
    case .fetchDone: "a fetch ended with a picture"
    case .fetchFailed: "a fetch ended with an error"
    case .fetchCancelled: "a fetch was cancelled"
    case .requestBegin: "a request went to the network"
    case .requestEnd: "the network was done with a request"
    case .busPost: "an event was posted on the bus, by a step or by the model, to those subscribed then"
    case .busDeliver: "a subscriber is given an event"
    case .busSubscribe: "a subscriber subscribes to a topic, or to the events of one image"
    case .busUnsubscribe: "a subscription ended"
    case .busDrop: "the mailbox of a subscriber was full, and an event was lost"
    case .busFail: "the handler of a subscriber failed"
    case .cacheHit: "a chosen image was in the cache"
    case .memoryWarning: "the cache was emptied"
    case .strategySwitch: "another strategy was selected"
    case .headersChange: "fetches send other header fields from now on"
    case .modelDrop: "the program let go of an image"
    case .originChange: "the origin changed its answers, for a path or for all"
    case .note: "the text of a note in the scenario"
    }
  }
}
