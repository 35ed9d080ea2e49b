import Foundation
import OriginServer
import TestMachine
import Testing

extension BuiltProgram {
  /// The transcripts `system-*` test the exact output, on the virtual clock.
  @Suite struct SystemTests {
    private static let systems = ["image-fetcher", "slideshow", "photorama", "soogreyhounds", "ios-concurrency"]
    /// The tests must not use the API keys of the user who runs them.
    private static let program = Program(environment: ["PHOTORAMA_API_KEY": "", "SOOGREYHOUNDS_API_KEY": ""])

    @Test("Without a name, `system` lists the five systems")
    func list() async throws {
      let outcome = try await Self.program.run("system")
      #expect(outcome.code == 0)
      let words = outcome.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != " " }) }
      #expect(words == Self.systems)
    }

    /// By default, three of the five systems run. On the virtual clock, the other two run as well.
    @Test("Each system runs with each strategy over sockets and leaves no files")
    func works() async throws {
      let scratch = try TemporaryFolder()
      var program = Self.program
      program.environment["TMPDIR"] = scratch.url.path
      let outcomes = try await LongTests.some(of: Self.systems, every: 2).concurrently { [program] system in
        try await program.run("system", system, "--strategy", "all")
      }
      for outcome in outcomes {
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(outcome.notes == "")
        #expect(outcome.output.split(separator: "\n").count == 7)
      }
      #expect(scratch.names == [])
    }

    @Test("A system runs against a user's server and with a user's property list")
    func ownServer() async throws {
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      let base = origin.baseURL.absoluteString
      let slides = try await Self.program.run("system", "slideshow", "--base", base)
      #expect(slides.code == 0, "\(slides.notes)")
      #expect(slides.output.contains("manage: 12 slides: Sunset over the sea, Mountains at dawn, "))
      #expect(slides.output.contains("ImageFetched: “Sunset over the sea”"))
      let favorites = try await Self.program.run("system", "image-fetcher", "--base", base)
      #expect(favorites.code == 0, "\(favorites.notes)")
      #expect(favorites.output.contains("detail: shows “Mountains at dawn”"))
      // The server has no list of users.
      let users = try await Self.program.run("system", "ios-concurrency", "--base", base)
      #expect(users.code == 1)
      #expect(users.notes.contains("failed: dataTask: the server responded with status 404; verify the address\n"))
    }

    @Test("A property list that allows arbitrary loads permits http to another host")
    func transportSecurity() async throws {
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      let folder = try TemporaryFolder()
      let address = "http://elsewhere.localhost:\(origin.port)/sunset-10.jpeg"
      for (allows, code) in [(false, 1), (true, 0)] as [(Bool, Int32)] {
        let list = """
          <plist version="1.0"><dict>
            <key>Favorites</key><array><dict>
              <key>imageName</key><string>Sunset</string><key>imageURL</key><string>\(address)</string>
            </dict></array>
            <key>NSAppTransportSecurity</key><dict><key>NSAllowsArbitraryLoads</key><\(allows)/></dict>
          </dict></plist>
          """
        _ = try folder.write(list, to: "mine.plist")
        let file = folder.url.appending(path: "mine.plist").path
        for strategy in ["dataTask", "socket"] {
          let outcome = try await Self.program.run(
            "system", "image-fetcher", "--settings", file, "--strategy", strategy)
          #expect(outcome.code == code, "\(strategy): \(outcome.notes)")
          #expect(outcome.notes.contains("blockedByTransportPolicy") == !allows, "\(outcome.notes)")
          #expect(outcome.output.contains("detail: shows “Sunset”") == allows, "\(outcome.output)")
        }
      }
    }

    @Test("An API key from a file or a variable is sent but never printed")
    func key() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write("very+secret\n", to: "key")
      let list = #"{"photos": {"photo": []}}"#
      let target = "/services/rest?method=flickr.photos.getRecent&format=json&nojsoncallback=1&api_key=very%2Bsecret"
      let origin = try OriginServer(
        content: OriginContent(routes: [
          OriginRoute(path: target + "&extras=url_h,date_taken", OriginResponse(body: .text(list)))
        ]))
      let words = ["system", "photorama", "--base", origin.baseURL.absoluteString]
      let fromFile = try await Self.program.run(words + ["--api-key-file", folder.url.appending(path: "key").path])
      var program = Self.program
      program.environment["PHOTORAMA_API_KEY"] = "very+secret"
      let fromVariable = try await program.run(words)
      for outcome in [fromFile, fromVariable] {
        #expect(outcome.code == 0, "\(outcome.notes)")
        #expect(outcome.output.contains("photos: 0 photos"))
        #expect(!outcome.output.contains("secret"))
      }
      let without = try await Self.program.run(words)
      #expect(without.code == 4)
      #expect(
        without.notes.hasPrefix("error: Photorama needs an API key, but the variable PHOTORAMA_API_KEY is not set"))
      #expect(without.notes.contains("--api-key-file was not given"), "\(without.notes)")
      let noFile = try await Self.program.run(words + ["--api-key-file", "/nowhere"])
      #expect(noFile.notes.contains("/nowhere cannot be read or has no key"), "\(noFile.notes)")
    }

    @Test(
      "The error for unusable settings names their file",
      arguments: [
        ("<dict/>", "configuration: “ImageBaseUrl” is missing; add it"),
        (
          "<dict><key>ImageBaseUrl</key><string>pictures</string></dict>",
          "an address is not a URL; write it in full, or begin it with /"
        ),
        ("<array/>", "configuration: “a property list with a dictionary in "),
      ])
    func wrongSettings(content: String, message: String) async throws {
      let folder = try TemporaryFolder()
      let file = folder.url.appending(path: "mine.plist")
      _ = try folder.write("<plist version=\"1.0\">\(content)</plist>", to: "mine.plist")
      let outcome = try await Self.program.run("system", "slideshow", "--settings", file.path)
      #expect(outcome.code == 4)
      #expect(outcome.notes.hasPrefix("error: \(file.path): \(message)"), "\(outcome.notes)")
    }

    @Test(
      "An unknown name or an invalid combination of flags is a usage error with a suggestion",
      arguments: [
        (["slidshow"], "unknown system \"slidshow\"; did you mean \"slideshow\"?"),
        (["xyz"], "unknown system \"xyz\"; choose from image-fetcher, slideshow, photorama"),
        (["slideshow", "--fault", "truncat"], "unknown fault \"truncat\"; did you mean \"truncate\"?"),
        (["slideshow", "--strategy", "asink"], "unknown strategy \"asink\"; did you mean \"async\"?"),
        (["slideshow", "--clock", "reel"], "unknown clock \"reel\"; did you mean \"real\"?"),
        (["slideshow", "photorama"], "system takes one name, but also got \"photorama\""),
        (
          ["slideshow", "--base", "http://localhost:1", "--fault", "stall"],
          "--fault and --clock virtual do not work with your own server"
        ),
      ])
    func unknown(words: [String], message: String) async throws {
      let outcome = try await Self.program.run(["system"] + words)
      #expect(outcome.code == 2)
      #expect(outcome.output == "")
      #expect(outcome.notes.hasPrefix("error: \(message)"), "\(outcome.notes)")
    }
  }
}
