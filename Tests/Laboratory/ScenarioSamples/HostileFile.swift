/// A file of any size that is designed to take excessive time or memory to parse.
package struct HostileFile: Sendable, CustomStringConvertible {
  package let description: String
  private let make: @Sendable (_ size: Int) -> String

  /// Returns a file of about `size` bytes.
  package func text(_ size: Int) -> String { make(size) }

  private init(_ name: String, _ make: @escaping @Sendable (Int) -> String) {
    description = name
    self.make = make
  }

  /// Makes a file that repeats one piece.
  private static func plain(_ name: String, _ piece: String, in frame: (String, String) = ("", "")) -> HostileFile {
    HostileFile(name) { frame.0 + String(repeating: piece, count: $0 / piece.utf8.count) + frame.1 }
  }

  /// Makes a scenario with these members, in which numbered items replace `REST`.
  private static func scenario(
    _ name: String, _ members: String, share: Int = 1, _ item: @escaping @Sendable (Int) -> String
  ) -> HostileFile {
    HostileFile(name) { size in
      let items = { (size: Int, item: (Int) -> String) in
        (0..<size / item(1000).utf8.count).map(item).joined(separator: ",")
      }
      let text = members.replacing("REST", with: items(size / share, item))
        .replacing("IMAGES", with: items(size / 2) { #"{"id":"i\#($0)","path":"/\#($0)"}"# })
        .replacing("STEPS", with: items(size / 2) { #"{"at":"0ms","do":"appear","view":"v\#($0)"}"# })
      return #"{"scenario":1,"name":"x",\#(text)}"#
    }
  }

  package static let all: [HostileFile] = [
    plain("meaningless characters", ";"), plain("zeros", "\0"), plain("brackets", "["), plain("quotes", "\""),
    plain("numbers", "0,", in: ("[", "0]")), plain("one number", "1", in: ("[", "]")), plain("comments", "#\n"),
    plain("wrong escapes", "\\x", in: ("\"", "\"")), plain("control characters", "\u{1}", in: ("\"", "\"")),
    plain("objects", #"{"a":0},"#, in: ("[", "{}]")), plain("lines", "\n"), plain("old lines", "\r"),
    plain("an accent on an accent", "\u{301}", in: (#"{"scenario":1,"name":"e"#, #"","steps":[]}"#)),
    plain("letters of two bytes", "é"),
    scenario("unknown keys", #""steps":[],REST"#) { #""k\#($0)":0"# },
    scenario("unknown names", #""images":[IMAGES],"steps":[REST]"#, share: 2) {
      #"{"at":"0ms","do":"select","image":"j\#($0)"}"#
    },
    scenario("unknown steps", #""steps":[REST]"#) { #"{"id":"s\#($0)","after":"t\#($0)","do":"wait-idle"}"# },
    scenario("header fields", #""steps":[],"origin":{"default":{"headers":{REST}}}"#) { #""h\#($0)":"""# },
    scenario("subscriptions", #""steps":[REST]"#) {
      $0.isMultiple(of: 2)
        ? #"{"at":"0ms","do":"subscribe","subscriber":"s","topic":"t"}"#
        : #"{"at":"0ms","do":"unsubscribe","subscriber":"s"}"#
    },
    scenario("expectations on events that no step causes", #""steps":[STEPS],"expect":[REST]"#, share: 2) {
      #"{"never":{"event":"view.appear","view":"w\#($0)"}}"#
    },
    scenario("expectations on events that steps cause", #""steps":[STEPS],"expect":[REST]"#, share: 2) {
      #"{"count":{"event":"view.appear","view":"v\#($0)","atMost":1}}"#
    },
    scenario("final states", #""steps":[],"expect":[{"final":{REST}}]"#) { #""v\#($0).shwn":"A""# },
    scenario("images", #""steps":[],"images":[REST]"#) { #"{"id":"i\#($0)","path":"/\#($0)","size":"1x1"}"# },
    scenario(
      "routes", #""images":[IMAGES],"steps":[{"at":"0ms","do":"select","image":"i1"}],"origin":{"routes":[REST]}"#,
      share: 2
    ) { #"{"path":"/r\#($0)","responses":[{"bandwidth":9}]}"# },
    scenario("files", #""steps":[],"origin":{"default":{"body":"A"},"routes":[{"path":"/","responses":[REST]}]}"#) {
      #"{"body":{"file":"f\#($0)"}}"#
    },
    scenario("changes of routes", #""clocks":["real"],"steps":[REST]"#) {
      #"{"at":"0ms","do":"origin","path":"/\#($0)","responses":[{}]}"#
    },
    scenario("repeated steps", #""steps":[REST]"#) {
      #"{"repeat":9,"every":"1ms","steps":[{"at":"\#($0)ms","do":"note","text":"{n}"}]}"#
    },
    scenario("repeated steps inside each other", #""steps":[REST]"#) { _ in
      let (open, close) = (#"{"repeat":1000,"steps":["#, "]}")
      return String(repeating: open, count: 20) + #"{"at":"0ms","do":"wait-idle"}"#
        + String(repeating: close, count: 20)
    },
    plain(
      "a long text in repeated steps", "{n}",
      in: (#"{"scenario":1,"name":"x","steps":[{"repeat":20,"steps":[{"at":"0ms","do":"note","text":""#, #""}]}]}"#)),
    scenario("counted pictures", #""steps":[],"images":[REST]"#) {
      #"{"count":9,"id":"i\#($0)-{n}","path":"/\#($0)-{n}","size":"1x1"}"#
    },
    scenario("repeated mistakes", #""steps":[REST]"#) {
      #"{"repeat":90,"steps":[{"at":"0ms","do":"sel\#($0)"}]}"#
    },
    scenario("answers that ask for header fields", #""steps":[],"origin":{"default":{"when":{REST}}}"#) {
      #""h\#($0)":"""#
    },
    scenario("durations", #""steps":[REST]"#) { #"{"at":"\#($0).000us","do":"wait-idle"}"# },
  ]
}
