@testable import ScenarioFormat

extension GoldenDiagnostics {
  /// The reports about repetitions and about the configuration of the model.
  static let language = [
    Golden(
      code: .undeclaredImage, promise: "A step that is wrong in any round is reported once, where it is written",
      text: #"""
        {"scenario": 1, "name": "x", "images": {"count": 3, "id": "p{n}", "path": "/{n}"},
         "steps": [{"repeat": 9, "every": "10ms", "steps": [
           {"at": "0ms", "do": "select", "image": "p{n}"}]}]}
        """#,
      report: #"""
        error[E23]: the image "p4" of round 4 is not declared
          --> x.json:3:43
           |
         3 |    {"at": "0ms", "do": "select", "image": "p{n}"}]}]}
           |                                           ^^^^^^ declare it, or repeat fewer times; the images are p1, p2, p3
        """#),
    Golden(
      code: .timeGoesBackwards, promise: "Rounds that would start at the same time need an interval",
      text: #"""
        {"scenario": 1, "name": "x",
         "steps": [{"repeat": 2, "steps": [{"at": "0ms", "do": "note", "text": "{n}"},
                                           {"at": "5ms", "do": "note", "text": "{n}"}]}]}
        """#,
      report: #"""
        error[E22]: round 2 begins 5ms before the previous round ends
          --> x.json:2:43
           |
         2 |      ... 2, "steps": [{"at": "0ms", "do": "note", "text": "{n}"},
           |                              ^^^^^ increase "every" by 5ms, or do this step one round later, with {n-1}
        """#),
    Golden(
      code: .unknownKey, promise: "A repetition has its own keys",
      text: #"""
        {"scenario": 1, "name": "x",
         "steps": [{"repeat": 2, "evry": "1ms", "steps": []}]}
        """#,
      report: #"""
        error[E07]: unknown key "evry"
          --> x.json:2:26
           |
         2 |  "steps": [{"repeat": 2, "evry": "1ms", "steps": []}]}
           |                          ^^^^^^ did you mean "every"?
        """#),
    Golden(
      code: .wrongValue, promise: "Nested repetitions are not expanded beyond the size limit",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [
         {"repeat": 1000, "steps": [
          {"repeat": 1000, "steps": [{"at": "0ms", "do": "wait-idle"}]}]}]}
        """#,
      report: #"""
        error[E15]: the file is longer than 1 MiB after its repetitions are expanded
          --> x.json:2:13
           |
         2 |  {"repeat": 1000, "steps": [
           |             ^^^^ repeat fewer times
        """#),
    Golden(
      code: .duplicate, promise: "Counted images need their number in the id and the path",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [],
         "images": [{"count": 30, "id": "p", "path": "/{n}.png"}]}
        """#,
      report: #"""
        error[E09]: 30 pictures have the id "p", because it does not contain {n}
          --> x.json:2:33
           |
         2 |  "images": [{"count": 30, "id": "p", "path": "/{n}.png"}]}
           |                                 ^^^ write "p{n}"
        """#),
    Golden(
      code: .missing, promise: "An origin step needs either a path with its responses or all",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [
         {"at": "0ms", "do": "origin", "responses": [{}]},
         {"at": "0ms", "do": "origin", "path": "/a", "all": []}]}
        """#,
      report: #"""
        error[E24]: missing "path" for the step "origin"
          --> x.json:2:22
           |
         2 |  {"at": "0ms", "do": "origin", "responses": [{}]},
           |                      ^^^^^^^^ add "path"

        error[E09]: "path" cannot be combined with "all"
          --> x.json:3:32
           |
         3 |  {"at": "0ms", "do": "origin", "path": "/a", "all": []}]}
           |                                ^^^^^^ keep one of them
        """#),
    Golden(
      code: .wrongValue, promise: "On the real clock, the origin refuses all connections of a phase or none",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [{"at": "0ms", "do": "origin", "all": [{}, {"fault": "refuse"}]},
         {"at": "0ms", "do": "origin", "all": [{"fault": "refuse"}]}]}
        """#,
      report: #"""
        error[E15]: on the real clock, the responses for "all" paths must refuse either every connection or none
          --> x.json:1:92
           |
         1 |      ... "all": [{}, {"fault": "refuse"}]},
           |                                ^^^^^^^^ move the other responses to a separate step, or write "clocks": ["virtual"]
        """#),
    Golden(
      code: .wrongValue, promise: "A list of conditional responses needs one response without a condition",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [],
         "origin": {"routes": [{"path": "/a", "responses": [{"when": {"X-Token": "2"}}]}]}}
        """#,
      report: #"""
        error[E15]: every response has a "when", so a request that matches none of them gets no response
          --> x.json:2:52
           |
         2 |      ... [{"path": "/a", "responses": [{"when": {"X-Token": "2"}}]}]}}
           |                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ add a response without "when", such as {"status": 401}
        """#),
    Golden(
      code: .pointlessExpectation, promise: "A pattern cannot match a header field that no response and no step sends",
      text: #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}],
         "steps": [{"at": "0ms", "do": "send", "headers": {"X-Token": "2"}},
                   {"at": "0ms", "do": "select", "image": "A"}],
         "expect": [{"count": {"event": "request.begin", "header": "x-tokn: 2", "equals": 1}}]}
        """#,
      report: #"""
        error[E31]: a pattern that can never match: no response and no step sends the header field "x-tokn: 2"
          --> x.json:4:60
           |
         4 |      ... "request.begin", "header": "x-tokn: 2", "equals": 1}}]}
           |                                     ^^^^^^^^^^^ did you mean "x-token: 2"?
        """#),
    Golden(
      code: .wrongValue, promise: "`atOnce` accepts only events that begin a span",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [],
         "expect": [{"atOnce": {"event": "ui.update", "atMost": 1}}]}
        """#,
      report: #"""
        error[E15]: "ui.update" begins no span, so "atOnce" has nothing to count
          --> x.json:2:34
           |
         2 |  "expect": [{"atOnce": {"event": "ui.update", "atMost": 1}}]}
           |                                  ^^^^^^^^^^^ choose from view.appear, fetch.start, request.begin
        """#),
    Golden(
      code: .pointlessExpectation, promise: "A minimum distance of zero can never fail",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [],
         "expect": [{"apart": {"event": "request.begin", "atLeast": "0ms"}}]}
        """#,
      report: #"""
        error[E31]: an expectation that can never fail: every interval is at least 0
          --> x.json:2:61
           |
         2 |  "expect": [{"apart": {"event": "request.begin", "atLeast": "0ms"}}]}
           |                                                             ^^^^^ choose a longer time
        """#),
    Golden(
      code: .wrongValue, promise: "Main cannot be busy for longer than the maximum run time on the real clock",
      text: #"""
        {"scenario": 1, "name": "x", "steps": [{"at": "0ms", "do": "busy", "for": "99s"}]}
        """#,
      report: #"""
        error[E15]: the run is longer than 60s, the maximum on the real clock
          --> x.json:1:47
           |
         1 |      ... "name": "x", "steps": [{"at": "0ms", "do": "busy", "for": "99s"}]}
           |                                        ^^^^^ write "clocks": ["virtual"]
        """#),
  ]
}
