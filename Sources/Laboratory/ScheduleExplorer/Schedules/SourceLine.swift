import Foundation
import Scheduling
import VirtualTime

/// A line of source code.
package struct SourceLine: Hashable, Sendable {
  private static let harness = Locked<@Sendable (String) -> Bool>({ _ in false })
  private static let symbolizer = Locked<Symbolizer?>(nil)
  private static let isUnoptimized = Locked(_isDebugAssertConfiguration())

  package let path: String
  package let number: Int

  /// Declares files that call the explored programs and do not belong to them. Call this before the first search.
  package static func setHarness(_ isOfHarness: @escaping @Sendable (_ path: String) -> Bool) {
    harness.withLock { $0 = isOfHarness }
  }

  /// Declares that the explored code is not optimized, although this module may be. Call this before the first search.
  package static func setUnoptimized() { isUnoptimized.withLock { $0 = true } }

  /// Whether the debug information has the line at which a function starts or resumes. In optimized code, LLVM takes the
  /// line of the next instruction, which may belong to an inlined function.
  static var hasResumptionLines: Bool { isUnoptimized.withLock { $0 } }

  static func isOfHarness(_ path: String) -> Bool { harness.withLock { $0 }(path) }

  /// Looks up the lines of addresses in the executable with the toolchain's `llvm-symbolizer`. The first lookup takes
  /// 0.3 s for a 140 MB executable. Swift 6.3's `Runtime` module would take minutes.
  ///
  /// - Returns: the lines by address, or nil if the tool does not respond.
  static func lines(at addresses: [CodeAddress]) -> [CodeAddress: SourceLine]? {
    let images = images
    let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    guard let base = executable.flatMap({ images[$0] }) else { return nil }
    let inside = addresses.filter { $0.value > base }
    if inside.isEmpty { return [:] }
    let offsets = inside.map { $0.value - base - ($0.isBehindCall ? 1 : 0) }
    return symbolizer.withLock { symbolizer in
      let lines = (symbolizer ?? Symbolizer(folders: images.keys.compactMap(toolFolder))).flatMap { tool in
        symbolizer = tool
        return tool.lines(at: offsets)
      }
      if lines == nil { symbolizer = nil }
      return lines.map { lines in
        Dictionary(uniqueKeysWithValues: zip(inside, lines).compactMap { address, line in line.map { (address, $0) } })
      }
    }
  }

  /// The load address of each mapped file, keyed by its path. Empty if the system does not report the addresses.
  ///
  /// `ImageMap` of the `Runtime` module also reads the files, and would read one that another thread has just unmapped.
  static var images: [String: UInt64] {
    #if os(Linux)
      let maps = FileManager.default.contents(atPath: "/proc/self/maps") ?? Data()
      let known = String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line -> (String, UInt64)? in
        // The range, the permissions, the offset, the device, the inode and the path.
        let words = line.split(separator: " ", maxSplits: 5)
        guard words.count == 6, UInt64(words[2], radix: 16) == 0,
          let start = words[0].split(separator: "-").first.flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        return (words[5].trimmingCharacters(in: .whitespaces), start)
      }
      return Dictionary(known) { first, _ in first }
    #else
      return [:]
    #endif
  }

  /// The folder with the tools of the toolchain whose library the executable loads.
  private static func toolFolder(_ library: String) -> String? {
    guard let end = library.range(of: "/lib/swift/linux/libswiftCore.so") else { return nil }
    return library[..<end.lowerBound] + "/bin"
  }
}
