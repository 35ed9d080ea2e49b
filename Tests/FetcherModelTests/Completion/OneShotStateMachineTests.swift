import FetcherModel
import Testing

/// Every order in which a completion, a handle, the end of the work, and a cancel can arrive.
@Suite struct OneShotStateMachineTests {
  private typealias Machine = OneShotStateMachine<String, String>

  private func started() -> Machine {
    var machine = Machine()
    #expect(machine.start("waiter") == true)
    return machine
  }

  @Test("A one-shot returns its completion only once")
  func onceOnly() {
    var machine = started()
    #expect(machine.isOpen)
    #expect(machine.complete() == "waiter")
    #expect(!machine.isOpen)
    #expect(machine.complete() == nil)
  }

  @Test("A one-shot that was completed before its start never starts")
  func endBeforeStart() {
    var machine = Machine()
    #expect(machine.complete() == nil)
    #expect(!machine.isOpen)
    #expect(machine.start("late") == false)
    #expect(machine.complete() == nil)
  }

  @Test("A one-shot rejects a second start and keeps the first completion")
  func secondStart() {
    var machine = started()
    #expect(machine.start("other") == false)
    #expect(machine.complete() == "waiter")
  }

  @Test("Cancelling a one-shot repeatedly cancels its running work only once")
  func calledOff() {
    var machine = started()
    #expect(machine.hold("work") == nil)
    #expect(machine.cancelWork() == "work")
    #expect(machine.cancelWork() == nil)
    #expect(machine.endWork() == nil)
  }

  @Test("A cancel that precedes the work's handle cancels the work once, when the handle arrives")
  func calledOffEarly() {
    var machine = started()
    #expect(machine.cancelWork() == nil)
    #expect(machine.hold("work") == "work")
    #expect(machine.cancelWork() == nil)
    #expect(machine.hold("again") == nil)
  }

  @Test(
    "A cancel after the end of the work does nothing, even if the handle arrives late", arguments: [true, false])
  func ended(isKnown: Bool) {
    var machine = started()
    if isKnown { #expect(machine.hold("work") == nil) }
    #expect(machine.endWork() == (isKnown ? "work" : nil))
    if !isKnown { #expect(machine.hold("work") == nil) }
    #expect(machine.cancelWork() == nil)
    #expect(machine.complete() == "waiter")
  }

  @Test("An early cancel does not reach work that ends before its handle arrives")
  func endedAfterACall() {
    var machine = started()
    #expect(machine.cancelWork() == nil)
    #expect(machine.endWork() == nil)
    #expect(machine.hold("work") == nil)
  }

  @Test("A completion leaves the work running, and a later cancel stops it")
  func runsOut() {
    var machine = started()
    #expect(machine.hold("work") == nil)
    #expect(machine.complete() == "waiter")
    #expect(machine.cancelWork() == "work")
  }
}
