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
  ]
}
