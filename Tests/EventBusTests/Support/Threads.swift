import EventBus
import TestMachine

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A body that runs on a separate thread. The cooperative pool is too small for bodies that block.
struct Elsewhere: Sendable {
  private let scheduler = DispatchRuntime.shared.serial("elsewhere")

  init(_ body: @escaping @Sendable () -> Void) { scheduler.schedule(body) }

  /// Returns after the body has returned.
  func end() async { await settle(scheduler) }
}

/// Runs each body on a separate thread and returns when all have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  for thread in (0..<count).map({ index in Elsewhere { body(index) } }) { await thread.end() }
}

/// Waits until a serial scheduler has run every action that was scheduled before.
func settle(_ scheduler: any Scheduler) async {
  await withCheckedContinuation { continuation in scheduler.schedule { continuation.resume() } }
}

extension Gate {
  /// Waits for the gate without blocking a thread of the cooperative pool.
  func passed() async { await Elsewhere { wait() }.end() }
}

/// Returns the number of repetitions of a test: a part of `count` by default, and all with `FETCHER_LONG=1`. Under the thread
/// sanitizer, which slows every test down, it is a twentieth.
///
/// - Parameter part: 1 for a test that would find no leak in fewer repetitions.
func cycles(_ count: Int, dividedBy part: Int = 4) -> Int {
  #if canImport(Darwin)
    let anyImage = UnsafeMutableRawPointer(bitPattern: -2)  // RTLD_DEFAULT, a macro that Swift does not import.
  #else
    let anyImage: UnsafeMutableRawPointer? = nil
  #endif
  return dlsym(anyImage, "__tsan_init") == nil ? LongTests.times(count / part, long: count) : count / 20
}
