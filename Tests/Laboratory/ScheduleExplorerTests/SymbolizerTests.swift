#if os(Linux)
  import Foundation
  import Testing
  import VirtualTime

  @testable import ScheduleExplorer

  @Suite struct SymbolizerTests {
    @Test("The symbolizer answers a request of any length in order")
    func order() throws {
      let symbolizer = try #require(Symbolizer(folders: []))
      let offsets = (0..<300).map { UInt64(0x100000 + $0 * 0x1000) }
      let lines = try #require(symbolizer.lines(at: offsets))
      let single = try offsets.map { try #require(symbolizer.lines(at: [$0])) }
      #expect(lines == single.flatMap(\.self))
      #expect(Set(lines.compactMap(\.self)).count > 100)
    }

    @Test("In optimized code, a call has a line, but the place where a function starts or resumes has none")
    func optimized() throws {
      let calls = CallStack.addresses(most: 10)
      let starts = calls.map { CodeAddress($0.value, isBehindCall: false) }
      let sites = CodeSites(calls + starts, hasResumptionLines: false)
      #expect(sites.firstLine(of: calls)?.path.hasSuffix("/SymbolizerTests.swift") == true)
      #expect(sites.firstLine(of: starts) == nil)
      #expect(sites.first(of: starts) == "SymbolizerTests.optimized() SymbolizerTests.swift")
      #expect(CodeSites(starts, hasResumptionLines: true).firstLine(of: starts) != nil)
    }

    @Test("A child process keeps no pipe of another thread open")
    func descriptors() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { close(ends[0]) }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      actions.addCloseFrom(STDERR_FILENO + 1)
      var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("30"), nil]
      defer { for word in words { free(word) } }
      var child: pid_t = 0
      try #require(posix_spawnp(&child, "sleep", &actions, nil, &words, nil) == 0)
      defer {
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
      }
      close(ends[1])
      var watched = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      #expect(poll(&watched, 1, 20_000) == 1)
      #expect(watched.revents == Int16(POLLHUP))
    }

    @Test("The load addresses are found while another thread maps and unmaps files")
    func mappings() throws {
      let path = FileManager.default.temporaryDirectory.appending(path: "mapped-\(UUID())").path
      try Data(repeating: 0, count: 65_536).write(to: URL(filePath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let file = open(path, O_RDONLY)
      defer { close(file) }
      let ended = DispatchSemaphore(value: 0)
      let mapper = Thread {
        while !Thread.current.isCancelled {
          let address = mmap(nil, 65_536, PROT_READ, MAP_SHARED, file, 0)
          if let address, address != MAP_FAILED { munmap(address, 65_536) }
        }
        ended.signal()
      }
      mapper.start()
      let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      for _ in 0..<200 { #expect(SourceLine.images[executable] != nil) }
      mapper.cancel()
      ended.wait()
    }
  }
#endif
