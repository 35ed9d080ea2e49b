// What differs on Darwin, for Scripts/check-darwin. A declaration here takes precedence over the one that it replaces.

@_exported import Dispatch
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import FoundationXML
@_exported import Glibc

// MARK: Unavailable in async code

extension DispatchSemaphore {
  @available(*, noasync, message: "Await a Task handle instead")
  public func wait() {}

  @available(*, noasync, message: "Await a Task handle instead")
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}

extension DispatchGroup {
  @available(*, noasync, message: "Use a TaskGroup instead")
  public func wait() {}

  @available(*, noasync, message: "Use a TaskGroup instead")
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}

extension Thread {
  @available(*, noasync)
  public class var current: Thread { fatalError() }

  @available(*, noasync)
  public class var isMainThread: Bool { false }

  @available(*, noasync)
  public class func sleep(forTimeInterval interval: TimeInterval) {}

  @available(*, noasync)
  public class func exit() {}
}

extension NSLock {
  @available(*, noasync, message: "Use async-safe scoped locking instead")
  public func lock() {}

  @available(*, noasync, message: "Use async-safe scoped locking instead")
  public func unlock() {}
}

extension RunLoop {
  @available(*, noasync)
  public func run() {}
}

// MARK: Other types

/// A thread is a pointer, which is not Sendable.
public struct _opaque_pthread_t { public var number: Int }
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public func pthread_self() -> pthread_t { fatalError() }
public func pthread_equal(_ first: pthread_t!, _ second: pthread_t!) -> Int32 { 0 }

/// MacTypes.h, which Foundation exports.
public typealias Style = UInt8

public let SOCK_STREAM: Int32 = 1
public let SOCK_DGRAM: Int32 = 2
public let IPPROTO_TCP: Int32 = 6
public let SHUT_RD: Int32 = 0
public let SHUT_WR: Int32 = 1
public let SHUT_RDWR: Int32 = 2
public let RLIMIT_FSIZE: Int32 = 1
public let RLIMIT_NOFILE: Int32 = 8
public let PRIO_PROCESS: Int32 = 0
public let RUSAGE_SELF: Int32 = 0
public let RUSAGE_CHILDREN: Int32 = -1
public func getrlimit(_ resource: Int32, _ limits: UnsafeMutablePointer<rlimit>!) -> Int32 { 0 }
@discardableResult public func setrlimit(_ resource: Int32, _ limits: UnsafePointer<rlimit>!) -> Int32 { 0 }
public func getrusage(_ process: Int32, _ usage: UnsafeMutablePointer<rusage>!) -> Int32 { 0 }

// MARK: Only on Darwin

public let SO_NOSIGPIPE: Int32 = 0x1022
@discardableResult public func pthread_threadid_np(_ thread: pthread_t?, _ id: UnsafeMutablePointer<UInt64>?) -> Int32 {
  0
}
public let CLOCK_UPTIME_RAW_APPROX = clockid_t(9)
public func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 { 0 }
public let RENAME_SWAP: Int32 = 2
@discardableResult
public func renamex_np(_ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!, _ flags: UInt32) -> Int32 { 0 }

// MARK: Only on Linux

/// Recent SDKs have it, and whether the system obeys is uncertain.
@available(*, unavailable) public let MSG_NOSIGNAL: Int32 = 0
@available(*, unavailable) public let SOCK_CLOEXEC: Int32 = 0
@available(*, unavailable) public let SOCK_NONBLOCK: Int32 = 0
@available(*, unavailable) public let CLOCK_MONOTONIC_COARSE: Int32 = 0
@available(*, unavailable) public let PTHREAD_MUTEX_ADAPTIVE_NP: Int32 = 0
@available(*, unavailable) public func epoll_create1(_ flags: Int32) -> Int32 { 0 }
@available(*, unavailable) public func eventfd(_ count: UInt32, _ flags: Int32) -> Int32 { 0 }
@available(*, unavailable) public func timerfd_create(_ clock: clockid_t, _ flags: Int32) -> Int32 { 0 }
@available(*, unavailable) public func prctl(_ option: Int32, _ values: CVarArg...) -> Int32 { 0 }
@available(*, unavailable) public func unshare(_ flags: Int32) -> Int32 { 0 }
