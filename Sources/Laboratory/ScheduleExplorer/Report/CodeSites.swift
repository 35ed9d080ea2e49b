import Foundation
import VirtualTime

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
