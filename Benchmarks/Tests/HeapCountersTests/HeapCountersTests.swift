import HeapCounters
import Testing

/// Each test runs in a separate process: while references are counted, the runtime's hooks corrupt strings that other threads retain.
@Suite struct HeapCountersTests {
  @Test("An allocation counts until it is freed", .enabled(if: heap_counters_see_allocations()))
  func allocations() async {
    await #expect(processExitsWith: .success) {
      heap_counters_start()
      let kept = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 8)
      let aligned = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 128)
      aligned.deallocate()
      let counts = heap_counters_stop()
      kept.deallocate()

      #expect(counts.allocations == 2)
      #expect(counts.bytes >= 100)
      #expect(counts.bytes < 200)
    }
  }

  @Test(
    "Only retains and releases count as references", .enabled(if: heap_counters_see_references()))
  func references() async {
    await #expect(processExitsWith: .success) {
      let object = Unmanaged.passRetained(Object())
      heap_counters_start()
      retain(object)
      release(object)
      let counts = heap_counters_stop()
      object.release()
      heap_counters_start()
      UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 8).deallocate()
      let withoutObjects = heap_counters_stop()

      // A debug build retains and releases more often than the source states.
      #expect(counts.references >= 2)
      #expect(counts.allocations == 0)
      #expect(withoutObjects.references == 0)
    }
  }

  @Test("Nothing is counted after the stop", .enabled(if: heap_counters_see_allocations()))
  func afterTheEnd() async {
    await #expect(processExitsWith: .success) {
      heap_counters_start()
      let counts = heap_counters_stop()
      UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 8).deallocate()

      #expect(counts.allocations == 0)
      #expect(counts.references == 0)
    }
  }
}

private final class Object {}

// A release build removes a retain and a release in the same function.
@inline(never) private func retain(_ object: Unmanaged<Object>) { _ = object.retain() }
@inline(never) private func release(_ object: Unmanaged<Object>) { object.release() }
