// does not compile: instance method 'wait' is unavailable from asynchronous contexts

import Dispatch

func take(_ semaphore: DispatchSemaphore) async { semaphore.wait() }
