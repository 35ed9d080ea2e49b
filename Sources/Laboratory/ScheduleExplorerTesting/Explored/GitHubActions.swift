#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import Foundation
  import Scheduling
  import Testing

  /// Annotations and summaries for GitHub Actions.
  enum GitHubActions {
    /// The annotations that are printed when the process ends. GitHub shows only the first ten annotations of a step, so
    /// all findings come before the ends of the pairs.
    private static let later = Locked<[String]>([])
    private static let printsAtExit: Void = {
      atexit { for line in GitHubActions.later.withLock({ $0 }) { print(line) } }
    }()

    static func report(_ failure: FailureReport, of test: Test, _ environment: ExploredEnvironment) {
      let name = test.id.nameComponents.joined(separator: "/")
      if environment.annotates {
        for issue in failure.issues.prefix(1) { print(annotation(issue.line, name, issue.text)) }
        _ = printsAtExit
        let pair = failure.pair.map { String($0.prefix { !$0.isNewline }) } ?? ""
        later.withLock { $0 += failure.pairLines.map { annotation($0, name, pair) } }
      }
      if let path = environment.summary, let file = FileHandle(forWritingAtPath: path) {
        defer { try? file.close() }
        _ = try? file.seekToEnd()
        file.write(Data("### \(name)\n\n```\n\(failure.message(test, nil))\n```\n\n".utf8))
      }
    }

    static func annotation(_ line: FailureReport.Line, _ title: String, _ message: String) -> String {
      let folder = FileManager.default.currentDirectoryPath + "/"
      let path = line.path.hasPrefix(folder) ? String(line.path.dropFirst(folder.count)) : line.path
      return "::error file=\(property(path)),line=\(line.line),title=\(property(title))::\(data(message))"
    }

    /// Encodes the characters that would end the text.
    private static func data(_ text: String) -> String {
      text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
      data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
  }
#endif
