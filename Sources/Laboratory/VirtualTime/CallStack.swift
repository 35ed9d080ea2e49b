import Dispatch
import Foundation
import Scheduling

#if canImport(Runtime) && !canImport(Darwin)
  import Runtime
#endif

/// An address in the process's code.
package struct CodeAddress: Hashable, Sendable {
  package let value: UInt64
  /// Whether this is a return address, which follows a call. Otherwise, a function starts or resumes at the address.
  package let isBehindCall: Bool

  package init(_ value: UInt64, isBehindCall: Bool) {
    self.value = value
    self.isBehindCall = isBehindCall
  }
}

/// The functions on the stack of a thread or a task.
package enum CallStack {
  /// The return addresses on the calling thread's stack, innermost first.
  package static func addresses(most count: Int) -> [CodeAddress] {
    // This API uses the unwind tables. `Backtrace.capture` follows frame pointers, which C libraries do not preserve.
    Thread.callStackReturnAddresses.prefix(count).map { CodeAddress($0.uint64Value, isBehindCall: true) }
  }

  /// The functions that contain these return addresses of the calling thread's stack. Empty if the system does not
  /// report them.
  static func functions(of addresses: [CodeAddress]) -> [String] {
    #if canImport(Runtime) && !canImport(Darwin)
      return functions(at: addresses).compactMap(\.self)
    #else
      return Array(Thread.callStackSymbols.prefix(addresses.count))
    #endif
  }

  /// The function at each address, or nil if the function is unknown.
  package static func functions(at addresses: [CodeAddress]) -> [String?] {
    #if canImport(Runtime) && !canImport(Darwin)
      return Symbolicator.shared.withLock { $0.functions(at: addresses) }
    #else
      return addresses.map { _ in nil }
    #endif
  }
}

#if canImport(Runtime) && !canImport(Darwin)
  /// Looks up function names on one shared thread that never exits.
  ///
  /// The `Runtime` module of Swift 6.3 reads every file that is mapped into the process. Each thread that uses the
  /// module keeps files mapped until the thread exits. With a second thread, the module would read files that have just
  /// been unmapped.
  ///
  /// `Sendable` is unchecked, because the semaphores make the two threads take turns.
  private final class Symbolicator: @unchecked Sendable {
    static let shared = Locked(Symbolicator())

    private let isAsked = DispatchSemaphore(value: 0)
    private let isAnswered = DispatchSemaphore(value: 0)
    private var addresses: [CodeAddress] = []
    private var functions: [String?] = []

    private init() {
      Thread { [unowned self] in
        while true {
          isAsked.wait()
          functions = Self.functions(at: addresses)
          isAnswered.signal()
        }
      }.start()
    }

    func functions(at addresses: [CodeAddress]) -> [String?] {
      self.addresses = addresses
      isAsked.signal()
      isAnswered.wait()
      return functions
    }

    private static func functions(at addresses: [CodeAddress]) -> [String?] {
      let stored = try? JSONEncoder().encode(StoredBacktrace(addresses))
      let stack = stored.flatMap { try? JSONDecoder().decode(Backtrace.self, from: $0) }
      // With inlined functions omitted, there is one frame per address. Looking up lines would take minutes in a large
      // executable.
      let frames = stack?.symbolicated(options: [.useSymbolCache])?.frames ?? []
      return addresses.indices.map { $0 < frames.count ? frames[$0].symbol?.name : nil }
    }
  }

  /// A `Backtrace` in Compact Backtrace Format. There is no other way to create one from addresses.
  private struct StoredBacktrace: Encodable {
    private static let version0With64Bits: UInt8 = 0x02
    private static let returnAddressInEightBytes: UInt8 = 0x2F
    private static let resumePointInEightBytes: UInt8 = 0x3F

    let architecture: String
    let backtrace: Data

    init(_ addresses: [CodeAddress]) {
      #if arch(arm64)
        architecture = "arm64"
      #else
        architecture = "x86_64"
      #endif
      backtrace = addresses.reduce(into: Data([Self.version0With64Bits])) { data, address in
        data.append(address.isBehindCall ? Self.returnAddressInEightBytes : Self.resumePointInEightBytes)
        withUnsafeBytes(of: address.value.bigEndian) { data.append(contentsOf: $0) }
      }
    }
  }
#endif
