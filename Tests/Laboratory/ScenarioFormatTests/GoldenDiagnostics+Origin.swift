@testable import ScenarioFormat

extension GoldenDiagnostics {
  /// The reports about the origin.
  static let origin = [
    Golden(
      code: .wrongValue, promise: "A scenario cannot set the header fields that frame a response",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [],
         "origin": {"default": {"headers": {"content-length": "10", "X-Which": "default"}}}}
        """#,
      report: #"""
        error[E15]: the server sets the header field "content-length"
          --> x.json:2:37
           |
         2 |  "origin": {"default": {"headers": {"content-length": "10", "X-Which": "default"}}}}
           |                                     ^^^^^^^^^^^^^^^^ remove it; body, chunks and fault determine its value
        """#),
    Golden(
      code: .wrongValue, promise: "A line break cannot add another header field",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [],
         "origin": {"default": {"headers": {"X Which": "a", "X-One": "a\r\nX-Two: b"}}}}
        """#,
      report: #"""
        error[E15]: "X Which" is not a header field name
          --> x.json:2:37
           |
         2 |  "origin": {"default": {"headers": {"X Which": "a", "X-One": "a\r\nX-Two: b"}}}}
           |                                     ^^^^^^^^^ write letters, digits and hyphens, such as "X-Which"

        error[E15]: "a\#u{FFFD}X-Two: b" is not a header field value
          --> x.json:2:62
           |
         2 |      ... {"X Which": "a", "X-One": "a\r\nX-Two: b"}}}}
           |                                    ^^^^^^^^^^^^^^^ write one line, without control characters or spaces at either end
        """#),
    Golden(
      code: .duplicate, promise: "A header field appears only once, whatever its letter case",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [],
         "origin": {"default": {"headers": {"Location": "/a", "location": "/b"}}}}
        """#,
      report: #"""
        error[E09]: the header field "location" is listed twice; names are case-insensitive
          --> x.json:2:55
           |
         2 |      ... {"Location": "/a", "location": "/b"}}}}
           |                             ^^^^^^^^^^ keep one of them
        """#),
    Golden(
      code: .wrongValue, promise: "On the real clock, a step can neither begin nor end a refusal",
      text: #"""
        {"scenario": 1, "name": "x",
         "origin": {"routes": [{"path": "/a", "responses": [{"fault": "refuse"}]}]},
         "steps": [{"at": "0ms", "do": "origin", "path": "/a", "responses": [{}]},
          {"at": "0ms", "do": "origin", "path": "/b", "responses": [{"fault": "refuse"}]}]}
        """#,
      report: #"""
        error[E15]: on the real clock, a path must refuse connections during the whole run or never
          --> x.json:3:50
           |
         3 |      ... "do": "origin", "path": "/a", "responses": [{}]},
           |                                  ^^^^ write "clocks": ["virtual"]

        error[E15]: on the real clock, a path must refuse connections during the whole run or never
          --> x.json:4:71
           |
         4 |      ... "/b", "responses": [{"fault": "refuse"}]}]}
           |                                        ^^^^^^^^ write "clocks": ["virtual"]
        """#),
    Golden(
      code: .wrongValue, promise: "A path must be written as the origin sees it",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [],
         "images": [{"id": "A", "path": "/a%20b.png"}],
         "origin": {"routes": [{"path": "/../b.png", "responses": [{}]}]}}
        """#,
      report: #"""
        error[E15]: the path "/a%20b.png" has an escape
          --> x.json:2:33
           |
         2 |  "images": [{"id": "A", "path": "/a%20b.png"}],
           |                                 ^^^^^^^^^^^^ write the character itself, as in "/a b.png"

        error[E15]: the path "/../b.png" has the segment "..", which a client never sends
          --> x.json:3:33
           |
         3 |  "origin": {"routes": [{"path": "/../b.png", "responses": [{}]}]}}
           |                                 ^^^^^^^^^^^ write the path without it
        """#),
    Golden(
      code: .durationWithoutUnit, promise: "A network step takes only a latency and a bandwidth, in their units",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [
          {"at": "0ms", "do": "network", "latency": 500},
          {"at": "0ms", "do": "network", "bandwidth": "1MB"},
          {"at": "0ms", "do": "network", "bandwidth": 0, "status": 503},
          {"at": "0ms", "do": "network", "delay": "1s"},
          {"at": "0ms", "do": "network", "latency": {"uniform": ["2s", "1s"]}},
          {"at": "0ms", "do": "throttle", "bandwidth": 1000},
          {"at": "0ms", "do": "origin", "path": "/a", "responses": [{}], "latency": "1s"}]}
        """#,
      report: #"""
        error[E14]: a duration needs a unit
          --> x.json:2:45
           |
         2 |   {"at": "0ms", "do": "network", "latency": 500},
           |                                             ^^^ write "500ms"; the units are us, ms and s

        error[E15]: expected a whole number from 1 to 1073741824, found a string
          --> x.json:3:47
           |
         3 |   {"at": "0ms", "do": "network", "bandwidth": "1MB"},
           |                                               ^^^^^ write the bytes per second, such as 100000

        error[E15]: expected a whole number from 1 to 1073741824, found the number 0
          --> x.json:4:47
           |
         4 |   {"at": "0ms", "do": "network", "bandwidth": 0, "status": 503},
           |                                               ^ write the bytes per second, such as 100000

        error[E07]: unknown key "status"
          --> x.json:4:50
           |
         4 |   {"at": "0ms", "do": "network", "bandwidth": 0, "status": 503},
           |                                                  ^^^^^^^^ the keys are do, at, after, plus, id, latency, bandwidth

        error[E07]: unknown key "delay"
          --> x.json:5:34
           |
         5 |   {"at": "0ms", "do": "network", "delay": "1s"},
           |                                  ^^^^^^^ did you mean "latency"?

        error[E15]: the longest latency is first
          --> x.json:6:57
           |
         6 |   {"at": "0ms", "do": "network", "latency": {"uniform": ["2s", "1s"]}},
           |                                                         ^^^^^^^^^^^^ swap the two

        error[E15]: unknown step "throttle"; choose from appear, disappear, select, deselect, switch, cancel, drop-model, publish, subscribe, unsubscribe, memory-warning, origin, network, send, busy, wait-idle, tap, note
          --> x.json:7:23
           |
         7 |   {"at": "0ms", "do": "throttle", "bandwidth": 1000},
           |                       ^^^^^^^^^^ did you mean "network"?

        error[E07]: the step "origin" has no key "latency"
          --> x.json:8:66
           |
         8 |      ... "/a", "responses": [{}], "latency": "1s"}]}
           |                                   ^^^^^^^^^ it belongs in "responses", as in "responses": [{"latency": "100ms"}]
        """#),
  ]
}
