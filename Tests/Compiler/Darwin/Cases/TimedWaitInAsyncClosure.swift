// does not compile: instance method 'wait' is unavailable from asynchronous contexts

import Dispatch

func run(_ body: () async -> Void) async { await body() }

func take(_ semaphore: DispatchSemaphore) async {
  await run { _ = semaphore.wait(timeout: .now() + 1) }
}
