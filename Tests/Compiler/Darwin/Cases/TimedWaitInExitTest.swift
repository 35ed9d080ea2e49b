// does not compile: instance method 'wait' is unavailable from asynchronous contexts

import Dispatch
import Testing

@Test func exits() async {
  await #expect(processExitsWith: .success) {
    let semaphore = DispatchSemaphore(value: 1)
    try #require(semaphore.wait(timeout: .now() + 1) == .success)
  }
}
