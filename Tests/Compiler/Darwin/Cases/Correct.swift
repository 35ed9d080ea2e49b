// compiles

import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

func take(_ semaphore: DispatchSemaphore) { semaphore.wait() }

func load(_ semaphore: DispatchSemaphore) async throws -> UInt {
  take(semaphore)
  let task = Task(name: "load") { try await URLSession.shared.data(from: URL(filePath: "/")) }
  _ = try await task.value
  return UInt(bitPattern: pthread_self())
}

func quiet(_ descriptor: Int32) {
  #if canImport(Darwin)
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, 4)
  #endif
}
