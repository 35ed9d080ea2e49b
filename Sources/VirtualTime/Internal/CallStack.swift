import Dispatch
import EventBus
import Foundation

#if canImport(Runtime) && !canImport(Darwin)
  import Runtime
#endif

/// The functions that a thread is in.
enum CallStack {
  /// Those of the calling thread, innermost first; empty where the system does not say.
  static func functions(most count: Int) -> [String] {
    #if canImport(Runtime) && !canImport(Darwin)
      // By the unwind tables: `Backtrace.capture` follows frame pointers, which C libraries do not keep.
      let addresses = Thread.callStackReturnAddresses.prefix(count).map(\.uint64Value)
      return Symbolicator.shared.withLock { $0.functions(at: addresses) }
    #else
      return Array(Thread.callStackSymbols.prefix(count))
    #endif
  }
}

#if canImport(Runtime) && !canImport(Darwin)
  /// Finds the names of functions, on one thread for all that never ends.
  ///
  /// The `Runtime` of Swift 6.3 looks into every file that is mapped into the process, and each thread that it works on keeps
  /// files mapped until it ends: with a second thread it looks into what has just gone.
  ///
  /// Unchecked because the gates let the two threads go on in turns.
  private final class Symbolicator: @unchecked Sendable {
    static let shared = Locked(Symbolicator())

    private let isAsked = DispatchSemaphore(value: 0)
    private let isAnswered = DispatchSemaphore(value: 0)
    private var addresses: [UInt64] = []
    private var functions: [String] = []

    private init() {
      Thread { [unowned self] in
        while true {
          isAsked.wait()
          functions = Self.functions(of: addresses)
          isAnswered.signal()
        }
      }.start()
    }

    func functions(at addresses: [UInt64]) -> [String] {
      self.addresses = addresses
      isAsked.signal()
      isAnswered.wait()
      return functions
    }

    private static func functions(of addresses: [UInt64]) -> [String] {
      let stored = try? JSONEncoder().encode(StoredBacktrace(addresses))
      let stack = stored.flatMap { try? JSONDecoder().decode(Backtrace.self, from: $0) }
      return stack?.symbolicated(options: [.useSymbolCache])?.frames.compactMap { $0.symbol?.name } ?? []
    }
  }

  /// A `Backtrace` as it is stored, in Compact Backtrace Format: it cannot be made of addresses in another way.
  private struct StoredBacktrace: Encodable {
    private static let version0With64Bits: UInt8 = 0x02
    private static let returnAddressInEightBytes: UInt8 = 0x2F

    let architecture: String
    let backtrace: Data

    init(_ addresses: [UInt64]) {
      #if arch(arm64)
        architecture = "arm64"
      #else
        architecture = "x86_64"
      #endif
      backtrace = addresses.reduce(into: Data([Self.version0With64Bits])) { data, address in
        data.append(Self.returnAddressInEightBytes)
        withUnsafeBytes(of: address.bigEndian) { data.append(contentsOf: $0) }
      }
    }
  }
#endif
