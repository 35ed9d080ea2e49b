import Testing

@testable import LivePages

@Suite struct MessageHubTests {
  @Test("A tab that does not read loses its place to the next tab, and one that reads keeps it")
  func stuckTab() {
    let hub = MessageHub()
    let tabs = (0..<MessageHub.tabs).map { _ in TabStream(hub) { tab, _ in tab.start(at: 0) } }
    for tab in tabs {
      #expect(hub.add(tab))
      tab.open {}
    }
    hub.post("note", ["text": "a"])
    // The first tab has bytes that it never sends on. The others have sent all.
    #expect(tabs.allSatisfy { $0.next()?.isEmpty == false } && tabs.dropFirst().allSatisfy { $0.next() == [] })
    let next = TabStream(hub) { _, _ in }
    #expect(!hub.add(next))
    #expect(hub.add(next, at: .now + .seconds(4)))
    #expect(tabs[0].next() == nil && tabs.dropFirst().allSatisfy { $0.next() == [] })
  }
}
