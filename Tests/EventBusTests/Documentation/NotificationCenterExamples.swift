import EventBus
import Foundation
import Testing

@Suite("The examples for users of NotificationCenter behave as documented") struct NotificationCenterExamples {
  let console = Console()
  let bus = EventBus()

  func print(_ items: Any...) { console.print(items) }

  @Test("A removed observer receives no more notifications") func before() {
    let center = NotificationCenter()
    // snippet
    let saved = Notification.Name("saved")

    let token = center.addObserver(forName: saved, object: nil, queue: nil) { notification in
      guard let file = notification.userInfo?["file"] as? String else { return }
      print("saved", file)
    }
    center.post(name: saved, object: nil, userInfo: ["file": "notes.txt"])
    center.removeObserver(token)
    // end
    center.post(name: saved, object: nil, userInfo: ["file": "later.txt"])
    #expect(console.lines == ["saved notes.txt"])
  }

  @Test("An event replaces a notification, and a cancelled subscription receives no more events") func after() {
    // snippet
    struct Saved: Event { let file: String }

    let subscription = bus.subscribe(to: Saved.self) { print("saved", $0.file) }
    bus.post(Saved(file: "notes.txt"))
    subscription.cancel()
    // end
    bus.post(Saved(file: "later.txt"))
    #expect(console.lines == ["saved notes.txt"])
  }

  @Test("A key replaces the sender of a notification") func sender() {
    let documents = [Document(id: 1), Document(id: 2)]
    // snippet
    struct Edited: KeyedEvent {
      let document: Int
      var key: Int { document }
    }

    let subscription = bus.subscribe(to: Edited.self, key: documents[0].id) { print("edited", $0.document) }
    for document in documents { bus.post(Edited(document: document.id)) }  // edited 1
    // end
    #expect(console.lines == ["edited 1"])
    withExtendedLifetime(subscription) {}
  }

  @Test("An observer can forward a notification to the bus as an event") func bridge() {
    let (bus, center) = (bus, NotificationCenter())
    let saved = Notification.Name("saved")
    let subscription = bus.subscribe(to: Saved.self) { print("saved", $0.file) }
    // snippet
    let bridge = center.addObserver(forName: saved, object: nil, queue: nil) { notification in
      guard let file = notification.userInfo?["file"] as? String else { return }
      bus.post(Saved(file: file))
    }
    // end
    center.post(name: saved, object: nil, userInfo: ["file": "notes.txt"])
    center.removeObserver(bridge)
    #expect(console.lines == ["saved notes.txt"])
    withExtendedLifetime(subscription) {}
  }
}

private struct Document { let id: Int }
