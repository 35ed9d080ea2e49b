import EventBus
import FetcherModel

/// What happened in one run, for counting.
struct ScenarioTrace: Sendable {
  /// One thing that happened.
  struct Event: Sendable, Equatable {
    let name: String
    var image: String?
    var view: String?
  }

  private(set) var events: [Event] = []
  /// What each view shows: an image's id, `placeholder`, or nothing.
  private(set) var shown: [String: String] = [:]

  mutating func add(_ event: Event) { events.append(event) }

  mutating func draw(_ view: String, _ id: String?, image: String?) {
    shown[view] = id
    add(Event(name: "ui.update", image: image, view: view))
  }

  /// How many events are of that kind; an image or a view narrows it down.
  func count(_ name: String, image: String?, view: String?) -> Int {
    events.count { event in
      event.name == name && (image == nil || event.image == image) && (view == nil || event.view == view)
    }
  }
}
