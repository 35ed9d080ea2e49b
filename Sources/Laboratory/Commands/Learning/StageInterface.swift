import PlainText

/// The public declarations of a stage's file, with their comments: everything that a learner's file can use of it.
///
/// The file is read line by line, because it is formatted: a declaration ends where its parentheses are closed, and a
/// type ends at the brace below its first line.
struct StageInterface {
  /// The declarations, one below the other, without bodies.
  private(set) var rows: [String] = []

  private var comment: [String] = []
  private var types: [(indentation: Int, keyword: Substring)] = []

  init(_ lines: [String]) {
    var rest = lines[...]
    while let line = rest.popFirst() {
      let text = line.drop { $0 == " " }
      // A type can have an attribute on the same line.
      let (indentation, code) = (line.count - text.count, text.trimmingPrefix(/@\w+\ /))
      if code.hasPrefix("///") {
        comment.append(line)
      } else if isDeclaration(code, indentation) {
        var declaration = line
        while declaration.count(where: { $0 == "(" }) > declaration.count(where: { $0 == ")" }),
          let next = rest.popFirst()
        {
          declaration += "\n" + next
        }
        add(declaration, indentation)
      } else if !code.hasPrefix("@") {
        comment = []
        if code == "}", types.last?.indentation == indentation { types.removeLast() }
      }
    }
  }

  /// Returns whether a line begins a declaration that other modules can use. The declarations in a protocol and the
  /// cases of an enum have no access modifier of their own.
  private func isDeclaration(_ code: Substring, _ indentation: Int) -> Bool {
    if code.hasPrefix("public ") { return !code.contains(/^public (import|static)\b/) }
    guard let type = types.last, indentation == type.indentation + 2 else { return false }
    switch type.keyword {
    case "protocol": return code.contains(/^\w/)
    case "enum": return code.contains(/^case \w/)
    default: return false
    }
  }

  private mutating func add(_ declaration: String, _ indentation: Int) {
    let place = /,?\s*fileID: StaticString = #fileID,\s*line: UInt = #line/
    let text = declaration.replacing("public ", with: "").replacing(place, with: "")
      .replacing(/(?s)\ \{.*$/, with: "")
    let keyword = text.firstMatch(of: /\b(class|struct|enum|protocol|func|init|var|let|case)\b/)?.1 ?? ""
    let isType = ["class", "struct", "enum", "protocol"].contains(keyword)
    if isType, declaration.hasSuffix("{") { types.append((indentation, keyword)) }
    defer { comment = [] }
    // The enum around a stage is only its name.
    guard indentation > 0 || keyword != "enum" else { return }
    if !rows.isEmpty, isType || keyword != "case" { rows.append("") }
    rows += wrapped(indentation) + text.split(separator: "\n").map(String.init)
  }

  /// Returns the comment at this indentation, without the parameters that the compiler sets.
  private func wrapped(_ indentation: Int) -> [String] {
    let prefix = String(repeating: " ", count: indentation) + "/// "
    let lines = comment.map { $0.drop { $0 == " " }.dropFirst(3) }
      .filter { !$0.contains(/- (fileID|line):/) }
    var paragraphs: [String] = []
    for line in lines where !line.isEmpty && !line.hasSuffix("- Parameters:") {
      if paragraphs.isEmpty || line.contains(/^ +-/) {
        paragraphs.append(String(line.drop { $0 == " " }))
      } else {
        paragraphs[paragraphs.count - 1] += line
      }
    }
    return paragraphs.flatMap { $0.wrapped(to: 80 - prefix.count) }.map { prefix + $0 }
  }
}
