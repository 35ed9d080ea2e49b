#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import Foundation
  import ScheduleExplorer
  import Scheduling

  /// This test program as a child process, which runs the tests that a filter selects.
  ///
  /// Nothing outlives the parent: the child ends when its standard input is closed, and the files have no names.
  struct ChildProcess {
    /// How a child ended.
    enum End: Equatable {
      case exited(Int32)
      case signaled(Int32)
      case late
      case cancelled
    }

    struct Result {
      var end: End
      var messages: [ChildMessage]
      /// The last part of what the child printed.
      var output: String
      /// The schedule that was running when the child ended.
      var schedule: Deviations
    }

    private static let interval: UInt32 = 4_000
    private static let maximumOutput = 65_536

    var arguments: [String]
    var order: ChildOrder
    /// Environment variables in addition to those of this process.
    var variables: [String: String] = [:]
    /// The maximum time between two messages, or nil for no limit.
    var limit: Duration?
    /// Called repeatedly while the child runs. If it returns true, the child is killed.
    var isCancelled: () -> Bool = { false }
    /// Called repeatedly with the number of schedules so far.
    var onProgress: (Int) -> Void = { _ in }

    /// Runs the child and waits for its end. Blocks the calling thread.
    func run() throws -> Result {
      let files = try (TemporaryFile(), TemporaryFile(), TemporaryFile())
      let (report, memoryFile, output) = files
      ftruncate(memoryFile.descriptor, ScheduleMemory.size)
      let memory = ScheduleFile(descriptor: memoryFile.descriptor)
      // A pair of sockets, because a pipe would be inherited by processes that another thread starts right now.
      var life: [Int32] = [-1, -1]
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, type, 0, &life) == 0 else { throw SystemFailure("socketpair") }
      defer { for end in life { close(end) } }
      let child = try spawn([
        life[0], output.descriptor, output.descriptor, report.descriptor,
        memoryFile.descriptor,
      ])
      let end = wait(for: child, report, memory)
      let lines = report.contents.split(separator: UInt8(ascii: "\n"))
      return Result(
        end: end, messages: lines.compactMap { try? JSONDecoder().decode(ChildMessage.self, from: $0) },
        output: String(decoding: output.contents.suffix(Self.maximumOutput), as: UTF8.self),
        schedule: memory.schedule)
    }

    private func wait(for child: pid_t, _ report: TemporaryFile, _ memory: ScheduleFile) -> End {
      var (size, since) = (0, ContinuousClock.now)
      var status: Int32 = 0
      var end: End?
      while waitpid(child, &status, end == nil ? WNOHANG : 0) != child {
        usleep(Self.interval)
        onProgress(memory.schedules)
        if report.size != size { (size, since) = (report.size, .now) }
        if isCancelled() { end = .cancelled }
        if let limit, since.duration(to: .now) > limit { end = end ?? .late }
        if end != nil { kill(child, SIGKILL) }
      }
      if let end { return end }
      let signal = status & 0x7f
      return signal == 0 ? .exited(status >> 8 & 0xff) : .signaled(signal)
    }

    /// Starts the child, whose first descriptors are copies of the given ones.
    private func spawn(_ descriptors: [Int32]) throws -> pid_t {
      // Numbers above those of the child's descriptors, so that no copy replaces a source.
      let sources = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, Int32(descriptors.count)) }
      defer { for source in sources { close(source) } }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for (target, source) in sources.enumerated() { posix_spawn_file_actions_adddup2(&actions, source, Int32(target)) }
      actions.addCloseFrom(Int32(descriptors.count))
      // The calling thread may block signals such as that of Ctrl-C, and the child would inherit that.
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigmask(&attributes, &none)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
      var environment = ProcessInfo.processInfo.environment
      environment.merge(variables) { $1 }
      environment[ChildOrder.variable] = order.text
      // The runtime would spend seconds on a backtrace that this process cannot use.
      environment["SWIFT_BACKTRACE"] = "enable=no"
      let program = "/proc/self/exe"
      let words = ([CommandLine.arguments[0]] + arguments).map { strdup($0) } + [nil]
      let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
      defer { for text in words + variables { free(text) } }
      var child: pid_t = 0
      let error = posix_spawn(&child, program, &actions, &attributes, words, variables)
      guard error == 0 else { throw SystemFailure("posix_spawn", error) }
      return child
    }
  }

  struct SystemFailure: Error, CustomStringConvertible {
    let description: String

    init(_ call: String, _ error: Int32 = errno) { description = "\(call): \(String(cString: strerror(error)))" }
  }

  /// A file without a name, which exists as long as a descriptor is open.
  private final class TemporaryFile {
    let descriptor: Int32

    init() throws {
      let folder = FileManager.default.temporaryDirectory.path
      var path = Array("\(folder)/explored-XXXXXX".utf8CString)
      descriptor = mkstemp(&path)
      if descriptor < 0 { throw SystemFailure("create a temporary file in \(folder)") }
      unlink(path)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    var size: Int {
      var status = stat()
      return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    var contents: Data {
      lseek(descriptor, 0, SEEK_SET)
      return FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readDataToEndOfFile()
    }
  }
#endif
