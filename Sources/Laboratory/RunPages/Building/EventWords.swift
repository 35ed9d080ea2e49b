import ScenarioEngine
import ScenarioFormat

extension RunEvent {
  /// A sentence that describes the event, for the table of a page.
  var sentence: String {
    let view = self[.view] ?? "", image = self[.image] ?? ""
    return switch kind {
    case .viewAppear: "\(view) appears"
    case .viewDisappear: "\(view) disappears"
    case .viewSelect: "select \(image) in \(view)"
    case .viewDeselect: "deselect in \(view)"
    case .viewTap: "tap \(self[.text] ?? "") in \(view)"
    case .uiUpdate: "\(view) draws \(self[.shown] ?? "nothing")"
    case .pageShow: "\(view) shows \([self[.error], self[.text]].compactMap(\.self).joined(separator: ": "))"
    case .fetchStart: "fetch \(image) with \(self[.strategy] ?? "")"
    case .fetchProgress: "bytes of \(image) arrive"
    case .fetchDone: "\(image) is fetched"
    case .fetchFailed: "\(image) fails: \(self[.error] ?? "")"
    case .fetchCancelled: "the fetch of \(image) is cancelled"
    case .requestBegin: "GET \(resource)"
    case .requestEnd: "\(self[.error] ?? self[.status] ?? "read") \(resource)"
    case .serviceAnswer: "\(self[.status] ?? "") \(resource)"
    case .cacheHit: "\(image) is in the cache"
    case .memoryWarning: "memory warning"
    case .strategySwitch: "switch to \(self[.strategy] ?? "")"
    case .headersChange: "send \(self[.text] ?? "")"
    case .modelDrop: "release \(image)"
    case .originChange: "the origin changes \(self[.path] ?? "all answers")"
    case .networkChange: "the network changes: \(self[.text] ?? "")"
    case .note: self[.text] ?? ""
    case .busPost where isForTrace: busCaption.replacing(" -> no subscriber", with: ", for traces only")
    case .busPost, .busDeliver, .busSubscribe, .busUnsubscribe, .busDrop, .busDiscard, .busFail: busCaption
    }
  }

  /// Whether this is the post of an event to which no program subscribes, because only traces need it.
  package var isForTrace: Bool {
    kind == .busPost
      && [.fetchStarted, .fetchProgress, .serviceResponded].contains(self[.topic].flatMap(ModelTopic.init))
  }

  /// Whether the event ends a request with an error, or with a status of 400 or above.
  var isFailedRequest: Bool { self[.error] != nil || self[.status].flatMap { Int($0) }.map { $0 >= 400 } == true }

  private var resource: String { self[.image] ?? self[.path] ?? "" }

  /// The event's shape in the drawing.
  var shape: PageRow.Shape {
    switch kind {
    case .viewAppear, .viewDisappear, .viewSelect, .viewDeselect, .viewTap, .memoryWarning, .strategySwitch,
      .headersChange, .modelDrop, .originChange, .networkChange:
      .step
    case .uiUpdate, .pageShow: .draw
    case .fetchStart, .requestBegin: .start
    case .requestEnd where isFailedRequest: .error
    case .fetchDone, .requestEnd, .serviceAnswer: .end
    case .fetchFailed, .fetchCancelled: .error
    case .busPost: .post
    case .busDeliver: .delivery
    case .busSubscribe: .subscribe
    case .busUnsubscribe: .unsubscribe
    case .busDrop, .busDiscard, .busFail: .drop
    case .note: .note
    case .fetchProgress, .cacheHit: .other
    }
  }
}
