import Foundation
import VirtualTime

#if canImport(Runtime) && !canImport(Darwin)
  import Runtime
#endif

/// A line of source code.
struct SourceLine {
  /// So many fit the command line of a shell.
  private static let mostAddresses = 5_000

  let path: String
  let number: Int

  /// The lines of addresses in the executable itself, as the toolchain's `llvm-symbolizer` finds them: in a tenth of a second, where
  /// the `Runtime` of Swift 6.3 takes minutes for an executable of 90 MB.
  static func lines(at addresses: [CodeAddress]) -> [CodeAddress: SourceLine] {
    let images = images
    let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    guard let base = executable.flatMap({ images[$0] }) else { return [:] }
    let inside = addresses.filter { $0.value > base }.prefix(mostAddresses)
    let offsets = inside.map { "0x" + String($0.value - base - ($0.isBehindCall ? 1 : 0), radix: 16) }
    guard !offsets.isEmpty, let answers = answers(for: offsets, folders: images.keys.compactMap(toolFolder)) else {
      return [:]
    }
    let symbols = zip(inside, answers).compactMap { address, answer in
      answer.Symbol?.last.map { (address, SourceLine(path: $0.FileName, number: $0.Line)) }
    }
    return Dictionary(uniqueKeysWithValues: symbols)
  }

  /// The address at which each file of code begins in memory, by its path; empty where the system does not say.
  private static var images: [String: UInt64] {
    #if canImport(Runtime) && !canImport(Darwin)
      let known = ImageMap.capture().compactMap { image in
        image.path.flatMap { path in UInt64(image.baseAddress).map { (path, $0) } }
      }
      return Dictionary(known) { first, _ in first }
    #else
      return [:]
    #endif
  }

  /// Of the toolchain whose library the executable runs with.
  private static func toolFolder(_ library: String) -> String? {
    guard let end = library.range(of: "/lib/swift/linux/libswiftCore.so") else { return nil }
    return library[..<end.lowerBound] + "/bin"
  }

  private static func answers(for offsets: [String], folders: [String]) -> [Answer]? {
    #if os(Linux)
      let path = folders.map { "'\($0.replacing("'", with: #"'\''"#))':" }.joined() + "$PATH"
      let command = "llvm-symbolizer --obj=/proc/\(getpid())/exe --no-inlines --output-style=JSON"
      // The shell says where the tool is, and is silent where there is none.
      let line = "PATH=\(path); \(command) \(offsets.joined(separator: " ")) 2>/dev/null"
      guard let output = popen(line, "r") else { return nil }
      defer { pclose(output) }
      let data = FileHandle(fileDescriptor: fileno(output), closeOnDealloc: false).readDataToEndOfFile()
      return try? JSONDecoder().decode([Answer].self, from: data)
    #else
      return nil
    #endif
  }

  private struct Answer: Decodable {
    struct Symbol: Decodable {
      let FileName: String
      let Line: Int
    }

    let Symbol: [Symbol]?
  }
}
