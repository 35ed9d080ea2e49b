import Dispatch
import EventBus
import TestMachine
import Testing

@Suite("A queue's timers run in order, and cancelled ones are released", .childProcesses, .timeLimit(.minutes(10)))
struct DispatchTimerTests {
  let runtime = DispatchRuntime.shared

  @Test("Timers with equal delays run in the order in which they were scheduled")
  func order() async {
    let scheduler = runtime.serial("lane")
    let record = Record<Int>()
    let all = runtime.gate()
    let suspended = runtime.gate()
    scheduler.schedule { suspended.wait() }
    let timers = (0..<1000).map { number in
      scheduler.schedule(after: .milliseconds(40 - 10 * (number % 5))) {
        record.append(number)
        if record.values.count == 1000 { all.open() }
      }
    }
    suspended.open()
    await all.passed()
    for delay in 0..<5 {
      let equal = record.values.filter { $0 % 5 == delay }
      #expect(equal == equal.sorted())
    }
    withExtendedLifetime(timers) {}
  }

  @Test("A due timer does not run if an earlier action on its serial scheduler cancels it")
  func calledOffWhenDue() async {
    let scheduler = runtime.serial("lane")
    let record = Record<Int>()
    let end = runtime.gate()
    let second = Record<any Cancellation>()
    let suspended = runtime.gate()
    scheduler.schedule { suspended.wait() }
    _ = scheduler.schedule(after: .milliseconds(10)) {
      record.append(1)
      for timer in second.values { timer.cancel() }
    }
    second.append(scheduler.schedule(after: .milliseconds(10)) { record.append(2) })
    _ = scheduler.schedule(after: .milliseconds(10)) { end.open() }
    suspended.open()
    await end.passed()
    #expect(record.values == [1])
  }

  @Test("On a concurrent queue, a blocked timer action does not delay other timers") func blocking() async {
    let opened = runtime.gate()
    let end = runtime.gate()
    _ = runtime.workers.schedule(after: .milliseconds(5)) {
      opened.wait()
      end.open()
    }
    _ = runtime.workers.schedule(after: .milliseconds(10)) { opened.open() }
    await end.passed()
  }

  @Test("On a concurrent queue, cancelling a due timer releases its action if it has not begun")
  func handedOver() async {
    final class Captured: Sendable {}
    // The queue has one thread, which the first action blocks.
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent, target: DispatchQueue(label: "one thread"))
    let scheduler = DispatchScheduler(queue, isSerial: false)
    let begun = runtime.gate()
    let opened = runtime.gate()
    let end = runtime.gate()
    let suspended = runtime.gate()
    let record = Record<Int>()
    var captured: Captured? = Captured()
    weak let released = captured
    scheduler.schedule { suspended.wait() }
    _ = scheduler.schedule(after: .zero) {
      begun.open()
      opened.wait()
    }
    let second = scheduler.schedule(after: .zero) { [captured] in
      record.append(1)
      _ = captured
    }
    captured = nil
    suspended.open()
    await begun.passed()
    second.cancel()
    #expect(released == nil)
    opened.open()
    scheduler.schedule { end.open() }
    await end.passed()
    #expect(record.values == [])
  }

  @Test("Timers that are due at the same time run without a separate wake-up for each") func dueTogether() async {
    let scheduler = runtime.serial("lane")
    let all = runtime.gate()
    let count = 20_000
    let seen = Record<Int>()
    let suspended = runtime.gate()
    scheduler.schedule { suspended.wait() }
    for number in 1...count {
      _ = scheduler.schedule(after: .milliseconds(1)) {
        if number == count { all.open() } else if number % 1000 == 0 { seen.append(number) }
      }
    }
    suspended.open()
    await all.passed()
    #expect(seen.values == Array(stride(from: 1000, to: count, by: 1000)))
  }

  @Test("A timer does not wait for an older one that is due later") func earlier() async {
    let scheduler = runtime.serial("lane")
    let end = runtime.gate()
    let later = scheduler.schedule(after: .seconds(3600)) {}
    _ = scheduler.schedule(after: .milliseconds(1)) { end.open() }
    await end.passed()
    later.cancel()
  }

  @Test("A timer with a zero or negative delay is due immediately, and one with an endless delay never runs")
  func limits() async {
    let scheduler = runtime.serial("lane")
    let record = Record<Int>()
    let end = runtime.gate()
    let never = scheduler.schedule(after: .seconds(Int64.max)) { record.append(0) }
    _ = scheduler.schedule(after: .seconds(-1)) { record.append(1) }
    _ = scheduler.schedule(after: .zero) {
      record.append(2)
      end.open()
    }
    await end.passed()
    #expect(record.values == [1, 2])
    never.cancel()
  }

  /// Runs in a separate process, so that no other test changes its memory.
  @Test("A million cancelled timers leave no memory behind")
  func manyCancelled() async {
    await #expect(processExitsWith: .success) {
      let scheduler = DispatchRuntime.shared.serial("lane")
      let standing = [1, 3].map { scheduler.schedule(after: .seconds(3600 * $0)) {} }
      func cancelMany() {
        for _ in 0..<cycles(500_000, dividedBy: 2) { scheduler.schedule(after: .seconds(7200)) {}.cancel() }
      }
      cancelMany()
      let before = Memory.resident
      cancelMany()
      let growth = Memory.resident - before
      precondition(growth < 4 << 20, "Memory has grown by \(growth) bytes.")
      withExtendedLifetime(standing) {}
    }
  }
}
