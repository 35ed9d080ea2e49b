import Foundation
import OriginServer
import TestMachine
import Testing

extension BuiltProgram {
  /// The behavior of `fetch` with files, on a terminal, and at Ctrl-C.
  @Suite struct FetchFileTests {
    private static let picture = Program.pictures.appending(path: "moon-20.gif")

    @Test("An address that is given several times is fetched once")
    func once() async throws {
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      let folder = try TemporaryFolder()
      let url = origin.baseURL.absoluteString + "moon-20.gif"
      let outcome = try await Program().run("fetch", "--output", folder.url.path, url, url, url)
      #expect(outcome.output.split(separator: "\n").count == 1)
      #expect(origin.counters.requests == 1)
      #expect(folder.names == ["moon-20.gif"])
    }

    @Test("The flags of `fetch` determine whether an existing file is kept, replaced or skipped")
    func present() async throws {
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      let url = origin.baseURL.absoluteString + "moon-20.gif"
      for (flags, names, isReplaced, requests) in [
        ([], ["moon-20-2.gif", "moon-20.gif"], false, 1), (["--overwrite"], ["moon-20.gif"], true, 1),
        (["--skip-existing"], ["moon-20.gif"], false, 0),
      ] {
        let folder = try TemporaryFolder()
        let file = try folder.write("mine", to: "moon-20.gif")
        origin.resetCounters()
        let outcome = try await Program().run(["fetch", "--output", folder.url.path, url] + flags)
        #expect((outcome.code, outcome.notes) == (0, ""))
        #expect(folder.names == names)
        #expect((try Data(contentsOf: URL(filePath: file)) != Data("mine".utf8)) == isReplaced)
        #expect(origin.counters.requests == requests)
      }
    }

    @Test("`--skip-existing` still fetches an address with a different query")
    func otherQuery() async throws {
      let picture = OriginResponse(body: .file(Self.picture))
      let origin = try OriginServer(content: OriginContent(fallback: picture))
      let folder = try TemporaryFolder()
      let urls = (1...3).map { origin.baseURL.absoluteString + "image.php?id=\($0)" }
      let fetch = { (urls: [String]) in
        try await Program().run(["fetch", "--skip-existing", "--output", folder.url.path] + urls)
      }
      for (urls, count) in [(urls.prefix(1), 1), (urls.dropFirst(), 2), (urls.reversed()[...], 0)] {
        origin.resetCounters()
        let outcome = try await fetch(Array(urls))
        #expect((outcome.code, outcome.notes) == (0, ""))
        #expect(origin.counters.requests == count)
        #expect(outcome.output.ranges(of: "already exists").count == urls.count - count)
      }
      #expect(folder.names == ["image-2.php", "image-3.php", "image.php"])
      // A gap in the numbers must not hide the later files.
      try FileManager.default.removeItem(at: folder.url.appending(path: "image-2.php"))
      origin.resetCounters()
      #expect(try await fetch(urls).code == 0)
      #expect(origin.counters.requests == 1)
      #expect(folder.names == ["image-2.php", "image-3.php", "image.php"])
    }

    @Test("`--skip-existing` reports that an existing file does not record its query")
    func unknownQuery() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write("mine", to: "image.php")
      let url = "http://127.0.0.1:1/image.php?id=1"
      let outcome = try await Program().run("fetch", "--skip-existing", "--output", folder.url.path, url)
      #expect(outcome.code == 0)
      #expect(outcome.notes.hasPrefix("\(url): skipped, because "))
      #expect(outcome.notes.contains("the file does not record its query"))
      #expect(folder.names == ["image.php"])
    }

    @Test("`--skip-existing` skips only regular files", arguments: ["folder", "pipe"])
    func noFile(kind: String) async throws {
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      let folder = try TemporaryFolder()
      let name = folder.url.appending(path: "moon-20.gif")
      if kind == "folder" {
        try FileManager.default.createDirectory(at: name, withIntermediateDirectories: false)
      } else {
        try #require(mkfifo(name.path, 0o600) == 0)
      }
      let url = origin.baseURL.absoluteString + "moon-20.gif"
      for requests in [1, 0] {
        origin.resetCounters()
        let outcome = try await Program().run("fetch", "--skip-existing", "--output", folder.url.path, url)
        #expect((outcome.code, outcome.notes) == (0, ""))
        #expect(origin.counters.requests == requests)
        #expect(folder.names == ["moon-20-2.gif", "moon-20.gif"])
      }
    }

    @Test("The attributes of a file do not reveal any part of its address")
    func attributes() async throws {
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      let folder = try TemporaryFolder()
      let url = "http://user:s3cret@127.0.0.1:\(origin.port)/moon-20.gif?token=t0ken"
      #expect(try await Program().run("fetch", "--output", folder.url.path, url).code == 0)
      let file = folder.url.appending(path: "moon-20.gif").path
      let key = FileAttributeKey("NSFileExtendedAttributes")
      let attributes = try FileManager.default.attributesOfItem(atPath: file)[key] as? [String: Data]
      let mark = String(decoding: try #require(attributes?["user.fetcher.address"]), as: UTF8.self)
      #expect(mark.contains(/^[0-9a-f]{1,16}$/))
      #expect(attributes?.count == 1)
    }

    @Test("A URL cannot send control codes to the terminal or into file names")
    func escapes() async throws {
      let picture = OriginResponse(body: .file(Self.picture))
      let origin = try OriginServer(content: OriginContent(routes: [OriginRoute(path: "/a\n\u{1B}[2Jb.gif", picture)]))
      let folder = try TemporaryFolder()
      let base = origin.baseURL.absoluteString
      let outcome = try await Program().run(
        "fetch", "--output", folder.url.path, base + "a%0A%1B%5B2Jb.gif", base + "\u{1B}[2J\nnowhere")
      #expect(folder.names == ["a__[2Jb.gif"])
      #expect(!(outcome.output + outcome.notes).contains("\u{1B}"))
      #expect(outcome.notes.split(separator: "\n").count == 1)
    }

    @Test("After Ctrl-C, fetch reports its progress and leaves only complete files")
    func interrupted() async throws {
      let never = OriginResponse(body: .file(Self.picture), latency: .seconds(3600))
      let origin = try OriginServer(
        content: OriginContent(directory: Program.pictures, routes: [OriginRoute(path: "/never.gif", never)]))
      let folder = try TemporaryFolder()
      let base = origin.baseURL.absoluteString
      let program = try Program().start(
        ["fetch", "--output", folder.url.path, base + "moon-20.gif", base + "never.gif"])
      #expect(await program.interruptAtLine().contains("moon-20.gif"))
      #expect(await program.code() == 130)
      #expect(String(decoding: await program.restOfNotes(), as: UTF8.self) == "1 of 2 fetched\n")
      #expect(folder.names == ["moon-20.gif"])
    }

    @Test("Ctrl-C while pictures are written leaves only complete files", arguments: [[], ["--overwrite"]])
    func interruptedWrites(_ flags: [String]) async throws {
      let picture = try Self.largePicture()
      let origin = try OriginServer(content: OriginContent(fallback: OriginResponse(body: .data(picture))))
      for _ in 0..<LongTests.times(2, long: 20) {
        let folder = try TemporaryFolder()
        let urls = (0..<6).map { origin.baseURL.absoluteString + "\($0).jpeg" }
        for url in urls where !flags.isEmpty { _ = try folder.write("old", to: String(url.suffix(6))) }
        let program = try Program().start(["fetch", "--output", folder.url.path] + flags + urls)
        _ = await program.interruptAtLine()
        _ = await program.code()
        for name in folder.names {
          let size = try FileManager.default.attributesOfItem(atPath: folder.url.appending(path: name).path)[.size]
          #expect(name.hasSuffix(".jpeg"))
          #expect(size as? Int == picture.count || !flags.isEmpty && size as? Int == 3, "\(name)")
        }
      }
    }

    /// Returns a picture of 8 MB, which consists mostly of comments.
    private static func largePicture() throws -> Data {
      let small = try Data(contentsOf: Program.pictures.appending(path: "sunset-10.jpeg"))
      let comment = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0x20, count: 65_533)
      return small.prefix(2) + (0..<120).flatMap { _ in comment } + small.dropFirst(2)
    }

    @Test("A picture that does not fit on the disk leaves no file", arguments: [[], ["--overwrite"]])
    func fullDisk(_ flags: [String]) async throws {
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      let folder = try TemporaryFolder()
      if !flags.isEmpty { _ = try folder.write("old", to: "moon-20.gif") }
      let before = folder.names
      let shell = Program(executable: URL(filePath: "/bin/sh"))
      // Eight blocks of 512 bytes; the picture has 8361.
      let words = ["fetch", "--output", folder.url.path, origin.baseURL.absoluteString + "moon-20.gif"] + flags
      let outcome = try await shell.run(["-c", #"ulimit -f 8; exec "$0" "$@""#, Program.built.path] + words)
      #expect(outcome.code == 1)
      #expect(outcome.notes.contains("File too large"))
      #expect(folder.names == before)
      if !flags.isEmpty {
        #expect(try String(contentsOf: folder.url.appending(path: "moon-20.gif"), encoding: .utf8) == "old")
      }
      let again = try await Program().run(words.filter { $0 != "--overwrite" } + ["--skip-existing"])
      #expect(again.output.contains("already exists") == !flags.isEmpty)
    }

    @Test("After Ctrl-C during downloads, fetch exits with 130 and leaves no incomplete files")
    func interruptedDownloads() async throws {
      let picture = OriginResponse(body: .file(Self.picture), bytesPerSecond: 400_000)
      let origin = try OriginServer(content: OriginContent(fallback: picture))
      for _ in 0..<LongTests.times(3, long: 20) {
        let (folder, scratch) = (try TemporaryFolder(), try TemporaryFolder())
        let urls = (0..<60).map { origin.baseURL.absoluteString + "\($0).gif" }
        let program = try Program(environment: ["TMPDIR": scratch.url.path]).start(
          ["fetch", "--strategy", "downloadTask", "--output", folder.url.path] + urls)
        _ = await program.interruptAtLine()
        #expect(await program.code() == 130)
        #expect(scratch.names == [])
        #expect(folder.names.allSatisfy { $0.hasSuffix(".gif") })
        #expect(!String(decoding: await program.restOfNotes(), as: UTF8.self).contains("Fatal"))
      }
    }

    @Test("A run that writes no file still removes the leftovers from a killed run")
    func leftovers() async throws {
      let origin = try OriginServer(content: OriginContent())
      let folder = try TemporaryFolder()
      _ = try folder.write("half", to: ".fetcher-\(UUID().uuidString).part")
      let url = origin.baseURL.absoluteString + "missing.gif"
      #expect(try await Program().run("fetch", "--output", folder.url.path, url).code == 1)
      #expect(folder.names == [])
    }

    @Test("An error about a file does not print a password", arguments: ["--trace", "--junit"])
    func reportName(_ flag: String) async throws {
      let scenario = Program.packageRoot.appending(path: "scenarios/late-response.json").path
      let outcome = try await Program().run("run", "--quiet", flag, "/nowhere/http://user:s3cret@host/a", scenario)
      #expect(outcome.notes.contains("\(flag): cannot write /nowhere/http:"))
      #expect(!outcome.notes.contains("s3cret"))
    }

    @Test("If a new report does not fit on the disk, the old report remains", arguments: ["--trace", "--junit"])
    func fullReport(_ flag: String) async throws {
      let folder = try TemporaryFolder()
      let file = try folder.write("old", to: "report")
      let scenario = Program.packageRoot.appending(path: "scenarios/late-response.json").path
      let outcome = try await Program(executable: URL(filePath: "/bin/sh")).run(
        "-c", #"ulimit -f 0; exec "$0" "$@""#, Program.built.path, "run", "--quiet", flag, file, scenario)
      #expect(outcome.notes.contains("\(flag): cannot write \(file): File too large"))
      #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "old")
      #expect(folder.names == ["report"])
    }

    @Test(
      "On a terminal, fetch shows the pictures in flight and clears them at the end",
      .enabled(if: CompletionTests.has("script")))
    func terminal() async throws {
      let slow = OriginResponse(
        headers: [("Content-Type", "image/gif")], body: .file(Self.picture), bytesPerSecond: 8361)
      let origin = try OriginServer(content: OriginContent(routes: [OriginRoute(path: "/slow.gif", slow)]))
      let folder = try TemporaryFolder()
      let url = origin.baseURL.absoluteString + "slow.gif"
      let environment = ["TERM": "xterm", "FETCHER": Program.built.path, "NO_COLOR": "1"]
      let command = "stty cols 60; exec \"$FETCHER\" fetch --output '\(folder.url.path)' \(url)"
      let script = Program(executable: URL(filePath: "/usr/bin/script"), environment: environment)
      let outcome = try await script.run("-qec", command, "/dev/null")
      #expect(outcome.code == 0)
      let lines = outcome.output.split(whereSeparator: \.isNewline)
      #expect(lines.contains { $0.contains("slow.gif  ") && $0.contains(" of 8.4 kB  ") })
      #expect(lines.contains { $0.hasPrefix("0 of 1 fetched  ") && $0.contains("kB/s  ") && $0.hasSuffix(" left") })
      let end = try #require(outcome.output.ranges(of: "\u{1B}[J").last)
      #expect(!outcome.output[end.upperBound...].contains("fetched"))
      #expect(folder.names == ["slow.gif"])
    }
  }
}
