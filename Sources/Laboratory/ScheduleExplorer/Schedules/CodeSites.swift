import Foundation
import Scheduling
import VirtualTime

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
  private let hasResumptionLines: Bool

  private struct Site {
    let function: String
    let line: SourceLine
  }

  /// Looks up the addresses. The result is empty if the executable has no debug information, or if neither the
  /// toolchain nor PATH has `llvm-symbolizer`.
  init(_ addresses: [CodeAddress], hasResumptionLines: Bool = SourceLine.hasResumptionLines) {
    self.hasResumptionLines = hasResumptionLines
    let different = Set(addresses)
    sites = Self.known.withLock { known in
      let new = Array(different.filter { known[$0] == nil })
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
        return lines[address].map { (address, Site(function: shortened(function ?? ""), line: $0)) }
      })
  }

  /// The first location that is in the program.
  func first(of addresses: [CodeAddress]) -> String? { addresses.lazy.compactMap(text).first }

  /// The file and the line of that location. Nil if the line is not certain.
  func firstLine(of addresses: [CodeAddress]) -> SourceLine? {
    addresses.first { sites[$0] != nil }.flatMap { isCertain($0) ? sites[$0]?.line : nil }
  }

  private func isCertain(_ address: CodeAddress) -> Bool { address.isBehindCall || hasResumptionLines }

  /// The location as text, such as `Search.type(_:) Search.swift:17`, or without the line if it is not certain.
  private func text(_ address: CodeAddress) -> String? {
    guard let site = sites[address] else { return nil }
    let file = URL(filePath: site.line.path).lastPathComponent
    return (site.function.isEmpty ? "" : "\(site.function) ") + file
      + (isCertain(address) ? ":\(site.line.number)" : "")
  }

  /// The chain of calls, such as `in Semaphore.wait() Semaphore.swift:20, called by Cart.add() Cart.swift:9`. Nil if no
  /// location is in the program.
  fileprivate func chain(_ addresses: [CodeAddress]) -> String? {
    let texts = addresses.compactMap(text).reduce(into: [String]()) { texts, text in
      if texts.last != text { texts.append(text) }
    }
    return texts.isEmpty ? nil : "in \(texts.prefix(Self.maximumCallers).joined(separator: ", called by "))"
  }

  private static func isOfProgram(_ line: SourceLine) -> Bool {
    line.number > 0 && line.path.hasSuffix(".swift") && !line.path.contains("@__swiftmacro")
      && !line.path.hasPrefix(ownFolder) && !SourceLine.isOfHarness(line.path)
  }

  /// Shortens names such as `closure #1 in closure #2 in Search.type(_:)`.
  private static func shortened(_ function: String) -> String {
    function.replacing(/^((implicit )?closure #\d+ in |partial apply for |static )+/, with: "")
      // Shortens `consume #1 () in closure #9 in `: a function in a closure, which may be at the top level.
      .replacing(/( in (implicit )?closure #\d+)+(?= in)/, with: "").replacing(#/ in $/#, with: "")
      .replacing(#/ #\d+( (?=\())?/#, with: "")
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
