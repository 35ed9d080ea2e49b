import Foundation

/// A running `llvm-symbolizer`, which keeps the debug information of this process's executable in memory.
///
/// The tool ends with this object, or with this process, which closes the tool's standard input.
final class Symbolizer: Sendable {
  private struct Answer: Decodable {
    struct Symbol: Decodable {
      let FileName: String
      let Line: Int
    }

    let Symbol: [Symbol]?
  }

  /// The number of addresses in one request. A request and its answers fit in the buffers of the socket, so neither side
  /// blocks the other.
  private static let requestLength = 64

  /// The other end is the tool's standard input and output.
  private let socket: Int32
  private let process: pid_t

  /// Starts the tool of the first folder that has it, or the one in PATH. Returns nil if there is none.
  init?(folders: [String]) {
    #if os(Linux)
      var ends: [Int32] = [-1, -1]
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
      actions.addCloseFrom(STDERR_FILENO + 1)
      let words = ["llvm-symbolizer", "--obj=/proc/\(getpid())/exe", "--inlines", "--output-style=JSON"]
      let texts: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      let variables: [UnsafeMutablePointer<CChar>?] =
        ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
      var process: pid_t = 0
      let paths = folders.map { "\($0)/llvm-symbolizer" } + ["llvm-symbolizer"]
      let hasStarted = paths.contains {
        posix_spawnp(&process, $0, &actions, nil, texts, variables) == 0
      }
      for text in texts + variables { free(text) }
      posix_spawn_file_actions_destroy(&actions)
      close(ends[1])
      (socket, self.process) = (ends[0], process)
      if !hasStarted { return nil }
    #else
      return nil
    #endif
  }

  deinit {
    #if os(Linux)
      close(socket)
      if process > 0 {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
      }
    #endif
  }

  /// Looks up the lines at offsets in the executable, with nil where there is none. Blocks the calling thread, and must
  /// not be called by two threads at the same time.
  ///
  /// - Returns: nil if the tool does not respond.
  func lines(at offsets: [UInt64]) -> [SourceLine?]? {
    var lines: [SourceLine?] = []
    while lines.count < offsets.count {
      let request = offsets[lines.count...].prefix(Self.requestLength)
      guard let answers = answers(to: request) else { return nil }
      // The last symbol is the function that contains the address, and the others are those that it has inlined.
      lines += answers.map { $0.Symbol?.last.map { SourceLine(path: $0.FileName, number: $0.Line) } }
    }
    return lines
  }

  private func answers(to offsets: ArraySlice<UInt64>) -> [Answer]? {
    #if os(Linux)
      let request = Array(offsets.map { "0x\(String($0, radix: 16))\n" }.joined().utf8)
      guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
      var (text, lineFeeds) = (Data(), 0)
      var piece = [UInt8](repeating: 0, count: 65_536)
      while lineFeeds < offsets.count {
        let count = recv(socket, &piece, piece.count, 0)
        guard count > 0 else { return nil }
        lineFeeds += piece[..<count].count { $0 == UInt8(ascii: "\n") }
        text += piece[..<count]
      }
      let lines = text.split(separator: UInt8(ascii: "\n"))
      return try? lines.map { try JSONDecoder().decode(Answer.self, from: $0) }
    #else
      return nil
    #endif
  }
}
