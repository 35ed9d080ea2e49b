import Foundation
import VirtualTime

#if canImport(Runtime) && !canImport(Darwin)
  import Runtime
#endif

/// The source locations in the program's own code, of addresses in all code.
struct CodeSites {
  /// Where the sources of this package are kept, none of which are the program's.
  private static let ownFolder =
    (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }.path
    + "/"

  private static let mostCallers = 3

  private let sites: [CodeAddress: String]

  /// Empty where the debugger's data are missing, or the toolchain's `llvm-symbolizer` is not on the path.
  init(_ addresses: [CodeAddress]) {
    let different = Array(Set(addresses))
    let lines = different.isEmpty ? [:] : SourceLine.lines(at: different).filter { Self.isOfProgram($0.value) }
    let known = Array(lines.keys)
    let functions = known.isEmpty ? [] : CallStack.functions(at: known)
    sites = Dictionary(
      uniqueKeysWithValues: zip(known, functions).compactMap { address, function in
        lines[address].map { (address, Self.text(function ?? "", $0)) }
      })
  }

  /// The first of them that is in the program.
  func first(of addresses: [CodeAddress]) -> String? { addresses.lazy.compactMap { sites[$0] }.first }

  /// `in Semaphore.wait() Semaphore.swift:20, called by Cart.add() Cart.swift:9`; nil where none of them is the program's.
  fileprivate func chain(_ addresses: [CodeAddress]) -> String? {
    let texts = addresses.compactMap { sites[$0] }.reduce(into: [String]()) { texts, text in
      if texts.last != text { texts.append(text) }
    }
    return texts.isEmpty ? nil : "in \(texts.prefix(Self.mostCallers).joined(separator: ", called by "))"
  }

  private static func isOfProgram(_ line: SourceLine) -> Bool {
    line.number > 0 && line.path.hasSuffix(".swift") && !line.path.contains("@__swiftmacro")
      && !line.path.hasPrefix(ownFolder)
  }

  /// `Search.type(_:) Search.swift:17`
  private static func text(_ function: String, _ line: SourceLine) -> String {
    // `closure #1 in closure #2 in Search.type(_:)`
    let name = function.replacing(/^((implicit )?closure #\d+ in |partial apply for |static )+/, with: "")
      // `consume #1 () in closure #9 in `: a function in a closure, which may be in none itself
      .replacing(/( in (implicit )?closure #\d+)+(?= in)/, with: "").replacing(#/ in $/#, with: "")
      .replacing(#/ #\d+( (?=\())?/#, with: "")
    return "\(name.isEmpty ? "" : "\(name) ")\(URL(filePath: line.path).lastPathComponent):\(line.number)"
  }
}

extension [WaitingTask] {
  /// Each with what it awaits, and where, as far as that is known: `task 2 awaits task 3 in Cart.add() Cart.swift:9`
  var located: [String] {
    let sites = CodeSites(flatMap(\.addresses))
    return compactMap { task in
      let words = [task.awaited, sites.chain(task.addresses)].compactMap(\.self)
      return words.isEmpty ? nil : "\(task.name ?? "it") awaits \(words.joined(separator: " "))"
    }
  }
}

/// A task that nothing resumes.
struct WaitingTask: Sendable {
  /// The name of the task; nil for the program.
  let name: String?
  /// The name of the task that it awaits, if it awaits one.
  let awaited: String?
  /// Where it waits, innermost first.
  let addresses: [CodeAddress]
}

/// Closures that are called during a recorded run of unmodified Swift code.
struct TaskObserver: Sendable {
  /// Called before a job runs, with the name of its task, if it has one. The addresses are where the task resumes and then where it was
  /// created, innermost first.
  let resumes: @Sendable (_ task: String?, [CodeAddress]) -> Void
  /// Called after a run whose program has not ended, with the program, the task that it awaits, what that awaits, and so on.
  let stuck: @Sendable ([WaitingTask]) -> Void
}

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
