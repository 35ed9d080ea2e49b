struct Options {
  var printsJSON = false
  var isQuick = false
  var checksGoals = false
  var showsHelp = false
  var filter: String?
  var page: String?

  static func help(_ program: Program) -> String {
    """
    \(program.summary)

    usage: swift run -c release \(program.name) [options]

      --filter TEXT    measure only the rows whose name contains TEXT
      --quick          use short turns, for a quick result during development
      --check          exit with 1 if a goal is missed
      --json           print JSON on standard output instead of text
      --markdown FILE  also write the table into FILE, between its two marks
      --help           print this text

    Build with -c release: figures of a debug build are meaningless.
    """
  }

  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--json": printsJSON = true
      case "--quick": isQuick = true
      case "--check": checksGoals = true
      case "--help", "-h": showsHelp = true
      case "--filter": filter = try Self.value(of: argument, rest.next())
      case "--markdown": page = try Self.value(of: argument, rest.next())
      default: throw UsageError(description: "unknown option \(argument); --help lists the options")
      }
    }
  }

  private static func value(of option: String, _ value: String?) throws(UsageError) -> String {
    guard let value else { throw UsageError(description: "\(option) needs a value; --help describes it") }
    return value
  }
}

/// An invalid command line.
struct UsageError: Error, CustomStringConvertible {
  let description: String
}
