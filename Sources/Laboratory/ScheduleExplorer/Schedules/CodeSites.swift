import Foundation
import Scheduling
import VirtualTime

#if canImport(Runtime) && !canImport(Darwin)
  import Runtime
#endif

/// The source locations of addresses within the program's own code.
struct CodeSites {
  /// The source folder of this package, whose files do not belong to the program.
  private static let ownFolder =
    (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }.path
    + "/"

  private static let maximumCallers = 3

  /// The locations found so far, with nil for an address outside the program. A lookup takes 0.1 s. The search, the
  /// minimization and each replay look up the same addresses, so results are kept. The lock is held during a lookup, so
  /// threads that report at the same time share the result.
  private static let known = Locked<[CodeAddress: Site?]>([:])

  private let sites: [CodeAddress: Site]

  private struct Site {
    let text: String
    let line: SourceLine
  }

  /// Looks up the addresses. The result is empty if the executable has no debug information, or if neither the
  /// toolchain nor PATH has `llvm-symbolizer`.
  init(_ addresses: [CodeAddress]) {
    let different = Set(addresses)
    sites = Self.known.withLock { known in
      let new = Array(different.filter { known[$0] == nil }.prefix(SourceLine.maximumAddresses))
      if !new.isEmpty, let found = Self.lookUp(new) { for address in new { known[address] = .some(found[address]) } }
      return Dictionary(
        uniqueKeysWithValues: different.compactMap { address in known[address].flatMap(\.self).map { (address, $0) } })
    }
  }

  /// Looks up the addresses. Returns nil if the symbolizer does not respond; a later lookup may succeed.
  private static func lookUp(_ addresses: [CodeAddress]) -> [CodeAddress: Site]? {
    guard let lines = SourceLine.lines(at: addresses)?.filter({ isOfProgram($0.value) }) else { return nil }
    let found = Array(lines.keys)
    let functions = found.isEmpty ? [] : CallStack.functions(at: found)
    return Dictionary(
      uniqueKeysWithValues: zip(found, functions).compactMap { address, function in
        // The compiler generates this function, which calls one of the program.
        if function?.hasPrefix("protocol witness for ") == true { return nil }
        return lines[address].map { (address, Site(text: text(function ?? "", $0), line: $0)) }
      })
  }

  /// The first location that is in the program.
  func first(of addresses: [CodeAddress]) -> String? { addresses.lazy.compactMap { sites[$0]?.text }.first }

  /// The file and the line of that location.
  func firstLine(of addresses: [CodeAddress]) -> SourceLine? { addresses.lazy.compactMap { sites[$0]?.line }.first }

  /// The chain of calls, such as `in Semaphore.wait() Semaphore.swift:20, called by Cart.add() Cart.swift:9`. Nil if no
  /// location is in the program.
  fileprivate func chain(_ addresses: [CodeAddress]) -> String? {
    let texts = addresses.compactMap { sites[$0]?.text }.reduce(into: [String]()) { texts, text in
      if texts.last != text { texts.append(text) }
    }
    return texts.isEmpty ? nil : "in \(texts.prefix(Self.maximumCallers).joined(separator: ", called by "))"
  }

  private static func isOfProgram(_ line: SourceLine) -> Bool {
    line.number > 0 && line.path.hasSuffix(".swift") && !line.path.contains("@__swiftmacro")
      && !line.path.hasPrefix(ownFolder) && !SourceLine.isOfHarness(line.path)
  }

  /// The location as text, such as `Search.type(_:) Search.swift:17`.
  private static func text(_ function: String, _ line: SourceLine) -> String {
    // Shortens names such as `closure #1 in closure #2 in Search.type(_:)`.
    let name = function.replacing(/^((implicit )?closure #\d+ in |partial apply for |static )+/, with: "")
      // Shortens `consume #1 () in closure #9 in `: a function in a closure, which may be at the top level.
      .replacing(/( in (implicit )?closure #\d+)+(?= in)/, with: "").replacing(#/ in $/#, with: "")
      .replacing(#/ #\d+( (?=\())?/#, with: "")
    return "\(name.isEmpty ? "" : "\(name) ")\(URL(filePath: line.path).lastPathComponent):\(line.number)"
  }
}

extension [WaitingTask] {
  /// A line for each task. It names the task, the task that it awaits, and the location if it is known:
  /// `task 2 awaits task 3 in Cart.add() Cart.swift:9`.
  var located: [String] {
    let sites = CodeSites(flatMap(\.addresses))
    return compactMap { task in
      let words = [task.awaited, sites.chain(task.addresses)].compactMap(\.self)
      return words.isEmpty ? nil : "\(task.name ?? "it") awaits \(words.joined(separator: " "))"
    }
  }
}

/// A suspended task that nothing will resume.
struct WaitingTask: Sendable {
  /// The name of the task, or nil for the program itself.
  let name: String?
  /// The name of the task that it awaits, if there is one.
  let awaited: String?
  /// The addresses at which the task waits, innermost first.
  let addresses: [CodeAddress]
}

/// Callbacks for a recorded run of unmodified Swift code.
struct TaskObserver: Sendable {
  /// Called before a job runs, with the name of its task, if any. The addresses where the task resumes come first,
  /// followed by those where it was created, innermost first. The origins are those where a task without a name was
  /// created.
  let resumes: @Sendable (_ task: String?, [CodeAddress], _ origins: [CodeAddress]) -> Void
  /// Called after a run whose program has not ended. Receives the chain of waiting tasks: the program, the
  /// task that it awaits, and so on.
  let stuck: @Sendable ([WaitingTask]) -> Void
}

/// A line of source code.
package struct SourceLine: Hashable, Sendable {
  /// The maximum number of addresses that fit in a shell command line.
  static let maximumAddresses = 5_000

  private static let harness = Locked<@Sendable (String) -> Bool>({ _ in false })

  package let path: String
  package let number: Int

  /// Declares files that call the explored programs and do not belong to them. Call this before the first search.
  package static func setHarness(_ isOfHarness: @escaping @Sendable (_ path: String) -> Bool) {
    harness.withLock { $0 = isOfHarness }
  }

  fileprivate static func isOfHarness(_ path: String) -> Bool { harness.withLock { $0 }(path) }

  /// Looks up the lines of addresses in the executable with the toolchain's `llvm-symbolizer`, which takes 0.1 s. Swift
  /// 6.3's `Runtime` module would take minutes for a 90 MB executable.
  ///
  /// - Returns: the lines by address, or nil if the tool does not respond.
  static func lines(at addresses: [CodeAddress]) -> [CodeAddress: SourceLine]? {
    let images = images
    let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    guard let base = executable.flatMap({ images[$0] }) else { return nil }
    let inside = addresses.filter { $0.value > base }
    let offsets = inside.map { "0x" + String($0.value - base - ($0.isBehindCall ? 1 : 0), radix: 16) }
    if offsets.isEmpty { return [:] }
    guard let answers = answers(for: offsets, folders: images.keys.compactMap(toolFolder)) else { return nil }
    let symbols = zip(inside, answers).compactMap { address, answer in
      answer.Symbol?.last.map { (address, SourceLine(path: $0.FileName, number: $0.Line)) }
    }
    return Dictionary(uniqueKeysWithValues: symbols)
  }

  /// The load address of each code file, keyed by its path. Empty if the system does not report the addresses.
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

  /// The folder with the tools of the toolchain whose library the executable loads.
  private static func toolFolder(_ library: String) -> String? {
    guard let end = library.range(of: "/lib/swift/linux/libswiftCore.so") else { return nil }
    return library[..<end.lowerBound] + "/bin"
  }

  private static func answers(for offsets: [String], folders: [String]) -> [Answer]? {
    #if os(Linux)
      let path = folders.map { "'\($0.replacing("'", with: #"'\''"#))':" }.joined() + "$PATH"
      let command = "llvm-symbolizer --obj=/proc/\(getpid())/exe --no-inlines --output-style=JSON"
      // If the tool does not exist, the output is empty, so decoding returns nil.
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
