import FetcherModel
import Testing

/// Every order in which a completion, a handle, an end and a cancel can come.
@Suite struct OneShotStateMachineTests {
  private typealias Machine = OneShotStateMachine<String, String>

  private func started() -> Machine {
    var machine = Machine()
    #expect(machine.start("waiter") == true)
    return machine
  }

  @Test("A one-shot hands out its completion only once")
  func onceOnly() {
    var machine = started()
    #expect(machine.isOpen)
    #expect(machine.complete() == "waiter")
    #expect(!machine.isOpen)
    #expect(machine.complete() == nil)
  }

  @Test("After an end that came first nothing begins")
  func endBeforeStart() {
    var machine = Machine()
    #expect(machine.complete() == nil)
    #expect(!machine.isOpen)
    #expect(machine.start("late") == false)
    #expect(machine.complete() == nil)
  }

  @Test("A second start is refused, and the first one stays")
  func secondStart() {
    var machine = started()
    #expect(machine.start("other") == false)
    #expect(machine.complete() == "waiter")
  }

  @Test("Running work is cancelled only once")
  func calledOff() {
    var machine = started()
    #expect(machine.hold("work") == nil)
    #expect(machine.callOff() == "work")
    #expect(machine.callOff() == nil)
    #expect(machine.workEnded() == nil)
  }

  @Test("An early cancel reaches the work once, at its handle")
  func calledOffEarly() {
    var machine = started()
    #expect(machine.callOff() == nil)
    #expect(machine.hold("work") == "work")
    #expect(machine.callOff() == nil)
    #expect(machine.hold("again") == nil)
  }

  @Test(
    "Finished work is never cancelled, even with a late handle", arguments: [true, false])
  func ended(isKnown: Bool) {
    var machine = started()
    if isKnown { #expect(machine.hold("work") == nil) }
    #expect(machine.workEnded() == (isKnown ? "work" : nil))
    if !isKnown { #expect(machine.hold("work") == nil) }
    #expect(machine.callOff() == nil)
    #expect(machine.complete() == "waiter")
  }

  @Test("An early cancel ignores work that ends before its handle")
  func endedAfterACall() {
    var machine = started()
    #expect(machine.callOff() == nil)
    #expect(machine.workEnded() == nil)
    #expect(machine.hold("work") == nil)
  }

  @Test("A completion leaves work running, and a later cancel ends it")
  func runsOut() {
    var machine = started()
    #expect(machine.hold("work") == nil)
    #expect(machine.complete() == "waiter")
    #expect(machine.callOff() == "work")
  }
}
