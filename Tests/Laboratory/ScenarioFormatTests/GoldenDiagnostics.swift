import Testing

@testable import ScenarioFormat

/// Scenarios with a mistake, and the complete report for each.
enum GoldenDiagnostics {
  /// One scenario and its report.
  struct Golden: Sendable, CustomTestStringConvertible {
    let code: Diagnostic.Code
    let promise: String
    let text: String
    let report: String

    var testDescription: String { promise }
  }

  static let all = [
    Golden(
      code: .unknownKey, promise: "A misspelled key is shown in its line, shortened to the relevant part",
      text: #"""
        { "scenario": 1, "name": "x",
          "images": [{"id": "A", "path": "/a.png"}],
          "steps": [{"at": "0ms", "do": "select", "image": "A"}],
          "origin": {
          "routes": [{"path": "/a.png", "responses": [{"body": "A", "latncy": "300ms"}]
          }]}
        }
        """#,
      report: #"""
        error[E07]: unknown key "latncy"
          --> x.json:5:61
           |
         5 |      ... "responses": [{"body": "A", "latncy": "300ms"}]
           |                                      ^^^^^^^^ did you mean "latency"?
        """#),
    Golden(
      code: .syntax, promise: "The report points to a bracket that is never closed",
      text: #"""
        {"scenario": 1, "name": "x",
         "steps": [{"at": "0ms", "do": "note", "text": "hi"}
        """#,
      report: #"""
        error[E01]: this "[" is not closed
          --> x.json:2:11
           |
         2 |  "steps": [{"at": "0ms", "do": "note", "text": "hi"}
           |           ^ the file ends before its "]"
        """#),
    Golden(
      code: .syntax, promise: "If an outer closing bracket closes an inner bracket, the report points to the inner one",
      text: #"""
        {"scenario": 1, "name": "x",
         "steps": [
           {"at": "0ms",
            "do": "note", "text": "hi"
         ]
        }
        """#,
      report: #"""
        error[E01]: expected "}", found "]"
          --> x.json:5:2
           |
         5 |  ]
           |  ^ line 3 opens the "{"
        """#),
    Golden(
      code: .syntax, promise: "The report points to the bracket whose closing bracket has less indentation",
      text: #"""
        {
          "scenario": 1, "name": "x",
          "origin": {
            "default": {"status": 500},
          "steps": []
        }
        """#,
      report: #"""
        error[E01]: this "{" is not closed
          --> x.json:3:13
           |
         3 |   "origin": {
           |             ^ the next closing bracket, in line 6, begins further left, so an outer bracket needs it
        """#),
    Golden(
      code: .syntax, promise: "A missing quote is the only problem of its line, even if a path seems to be a comment",
      text: #"""
        {
          "scenario": 1, "name": "x",
          "images": [{"id": "first, "path": "/a.png"}, {"id": "second", "path": "/b.png"}],
          "steps": [{"at": "0ms", "do": "appear"}]
        }
        """#,
      report: #"""
        error[E01]: a quote is missing in this line
          --> x.json:3:30
           |
         3 |   "images": [{"id": "first, "path": "/a.png"}, {"id": "second", "path": "/b.png"}],
           |                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ close the string before this with a quote
        """#),
    Golden(
      code: .unknownKey, promise: "A value of the final state outside of `final` is answered with its place",
      text: #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "steps": [{"at": "0ms", "do": "select", "image": "A"}],
         "expect": [{"detail.shown": "A"}]}
        """#,
      report: #"""
        error[E07]: unknown key "detail.shown"
          --> x.json:3:14
           |
         3 |  "expect": [{"detail.shown": "A"}]}
           |              ^^^^^^^^^^^^^^ it belongs in "final", as in "final": {"detail.shown": "A"}
        """#),
    Golden(
      code: .syntax, promise: "A text without quotes is reported with advice",
      text: #"""
        {"scenario": 1, "name": "x",
         "steps": [{"at": 0ms, "do": note, "text": "hi"}]}
        """#,
      report: #"""
        error[E01]: a duration without quotes
          --> x.json:2:19
           |
         2 |  "steps": [{"at": 0ms, "do": note, "text": "hi"}]}
           |                   ^^^ write "0ms", with the quotes

        error[E01]: "note" is not a value
          --> x.json:2:30
           |
         2 |  "steps": [{"at": 0ms, "do": note, "text": "hi"}]}
           |                              ^^^^ a string needs quotes
        """#),
    Golden(
      code: .duplicate, promise: "The second of two equal keys is reported",
      text: #"""
        {"scenario": 1, "name": "x",
         "steps": [],
         "name": "x"}
        """#,
      report: #"""
        error[E09]: the key "name" appears twice
          --> x.json:3:2
           |
         3 |  "name": "x"}
           |  ^^^^^^ keep one of them
        """#),
    Golden(
      code: .trailingComma, promise: "A comma before a closing bracket is reported",
      text: #"""
        {"scenario": 1, "name": "x",
         "steps": [{"at": "0ms", "do": "appear"},]}
        """#,
      report: #"""
        error[E10]: a comma before the closing bracket
          --> x.json:2:41
           |
         2 |  "steps": [{"at": "0ms", "do": "appear"},]}
           |                                         ^ remove it
        """#),
    Golden(
      code: .durationWithoutUnit, promise: "A duration without a unit is rejected",
      text: #"""
        {"scenario": 1, "name": "x",
         "steps": [{"at": 300, "do": "appear"}]}
        """#,
      report: #"""
        error[E14]: a duration needs a unit
          --> x.json:2:19
           |
         2 |  "steps": [{"at": 300, "do": "appear"}]}
           |                   ^^^ write "300ms"; the units are us, ms and s
        """#),
    Golden(
      code: .wrongValue, promise: "The report of a wrong word lists the valid words",
      text: #"""
        {"scenario": 1, "name": "x",
         "clock": "virtal", "steps": []}
        """#,
      report: #"""
        error[E15]: unknown clock "virtal"; choose from virtual, real
          --> x.json:2:11
           |
         2 |  "clock": "virtal", "steps": []}
           |           ^^^^^^^^ did you mean "virtual"?
        """#),
    Golden(
      code: .wrongValue, promise: "The report of a value of the wrong type names both types",
      text: #"""
        {"scenario": 1, "name": "x",
         "seed": "seven", "steps": {}}
        """#,
      report: #"""
        error[E15]: expected a whole number from 0 to 9007199254740992, found a string
          --> x.json:2:10
           |
         2 |  "seed": "seven", "steps": {}}
           |          ^^^^^^^

        error[E15]: expected a list, found an object
          --> x.json:2:28
           |
         2 |  "seed": "seven", "steps": {}}
           |                            ^^ write [{"at": "0ms", "do": "appear"}]
        """#),
    Golden(
      code: .unknownStep, promise: "A step must refer to a step above it",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A", "id": "a"},
          {"after": "b", "plus": "5ms", "do": "disappear"}]}
        """#,
      report: #"""
        error[E21]: there is no step "b" above
          --> x.json:4:13
           |
         4 |   {"after": "b", "plus": "5ms", "do": "disappear"}]}
           |             ^^^ the only id above is "a"
        """#),
    Golden(
      code: .timeGoesBackwards, promise: "A step cannot start before the step above it",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A", "id": "a"},
          {"at": "5ms", "do": "disappear"}]}
        """#,
      report: #"""
        error[E22]: this step is at 5ms, before the step above it
          --> x.json:4:10
           |
         4 |   {"at": "5ms", "do": "disappear"}]}
           |          ^^^^^ the step above is at 10ms
        """#),
    Golden(
      code: .undeclaredImage, promise: "An image must be declared",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "C", "id": "a"}]}
        """#,
      report: #"""
        error[E23]: the image "C" is not declared
          --> x.json:3:83
           |
         3 |      ... "do": "select", "image": "C", "id": "a"}]}
           |                                   ^^^ choose from A, B
        """#),
    Golden(
      code: .missing, promise: "A step needs its arguments",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "id": "a"}]}
        """#,
      report: #"""
        error[E24]: missing "image" for the step "select"
          --> x.json:3:64
           |
         3 |      ... {"at": "10ms", "do": "select", "id": "a"}]}
           |                               ^^^^^^^^ add "image" (the id of an image)
        """#),
    Golden(
      code: .pointlessExpectation, promise: "A count of at least zero can never fail",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A", "id": "a"}],
         "expect": [{"count": {"event": "ui.update", "atLeast": 0}}]}
        """#,
      report: #"""
        error[E31]: an expectation that can never fail: every count is at least 0
          --> x.json:4:57
           |
         4 |  "expect": [{"count": {"event": "ui.update", "atLeast": 0}}]}
           |                                                         ^ add "equals", "atMost", or an "atLeast" above 0
        """#),
    Golden(
      code: .pointlessExpectation, promise: "A pattern cannot match an event that no step causes",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A", "id": "a"}],
         "expect": [{"never": {"event": "memory.warning"}}]}
        """#,
      report: #"""
        error[E31]: a pattern that can never match: no step of this file leads to memory.warning
          --> x.json:4:33
           |
         4 |  "expect": [{"never": {"event": "memory.warning"}}]}
           |                                 ^^^^^^^^^^^^^^^^ add such a step, or remove this
        """#),
    Golden(
      code: .pointlessExpectation, promise: "A pattern cannot match an image that no step selects",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A", "id": "a"}],
         "expect": [{"never": {"event": "fetch.failed", "image": "B"}}]}
        """#,
      report: #"""
        error[E31]: a pattern that can never match: no step of this file leads to fetch.failed with the image "B"
          --> x.json:4:58
           |
         4 |  "expect": [{"never": {"event": "fetch.failed", "image": "B"}}]}
           |                                                          ^^^ the steps use only "A"
        """#),
    Golden(
      code: .pointlessExpectation, promise: "A view that no step shows never draws",
      text: #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "steps": [{"at": "10ms", "do": "select", "image": "A"}],
         "expect": [{"never": {"event": "ui.update", "shown": "A"}}]}
        """#,
      report: #"""
        error[E31]: a pattern that can never match: no step makes a view appear, so it draws nothing
          --> x.json:3:33
           |
         3 |  "expect": [{"never": {"event": "ui.update", "shown": "A"}}]}
           |                                 ^^^^^^^^^^^ add such a step, or remove this
        """#),
    Golden(
      code: .pointlessExpectation, promise: "An expectation cannot name a view that no step shows",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A", "id": "a"}],
         "expect": [{"final": {"detial.shown": "A"}}]}
        """#,
      report: #"""
        error[E31]: an expectation that can never hold: no step makes the view "detial" appear
          --> x.json:4:24
           |
         4 |  "expect": [{"final": {"detial.shown": "A"}}]}
           |                        ^^^^^^^^^^^^^^ a step makes "detail" appear; one of the two names is probably a typo
        """#),
    Golden(
      code: .pointlessExpectation,
      promise: "An expectation about the outcome of an image that no step selects is rejected",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "cancel", "image": "A"}],
         "expect": [{"outcome": {"image": "A", "is": "none"}}]}
        """#,
      report: #"""
        error[E31]: an expectation that can never fail: no step selects "A"
          --> x.json:4:35
           |
         4 |  "expect": [{"outcome": {"image": "A", "is": "none"}}]}
           |                                   ^^^ add such a step, or remove this
        """#),
    Golden(
      code: .pointlessExpectation, promise: "An expectation without any value can never fail",
      text: #"""
        {"scenario": 1, "name": "x",
         "steps": [{"at": "0ms", "do": "appear"}],
         "expect": [{"always": {"event": "ui.update", "is": {}}}]}
        """#,
      report: #"""
        error[E31]: an expectation that can never fail: "is" has no values to compare
          --> x.json:3:53
           |
         3 |  "expect": [{"always": {"event": "ui.update", "is": {}}}]}
           |                                                     ^^ add a value, such as "lane": "main"
        """#),
    Golden(
      code: .wrongValue, promise: "The clock of a run must be one of the scenario's clocks",
      text: #"""
        {"scenario": 1, "name": "x", "clock": "real", "clocks": ["virtual"],
         "steps": []}
        """#,
      report: #"""
        error[E15]: "clocks" leaves out the real clock
          --> x.json:1:39
           |
         1 | {"scenario": 1, "name": "x", "clock": "real", "clocks": ["virtual"],
           |                                       ^^^^^^ choose a clock from "clocks", or remove this
        """#),
    Golden(
      code: .pointlessExpectation, promise: "A time limit that is longer than any run can never fail",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A", "id": "a"}],
         "expect": [{"within": {"event": "fetch.done", "image": "A", "limit": "60s"}}]}
        """#,
      report: #"""
        error[E31]: an expectation that can never fail: every run is shorter than 60s
          --> x.json:4:71
           |
         4 |      ... "image": "A", "limit": "60s"}}]}
           |                                 ^^^^^ a run takes at most 2010ms
        """#),
    Golden(
      code: .exactExploration, promise: "Exact timing leaves almost nothing to explore, which causes a warning",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A", "id": "a"}],
         "timing": "exact", "explore": {"runs": 100}}
        """#,
      report: #"""
        warning[W02]: "exact" timing leaves almost nothing to explore
          --> x.json:4:12
           |
         4 |  "timing": "exact", "explore": {"runs": 100}}
           |            ^^^^^^^ write "timing": {"slack": "100ms"}, or "timing": "any"
        """#),
    Golden(
      code: .unusedRoute, promise: "A route that no image requests causes a warning",
      text: #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"routes": [{"path": "/A.png", "responses": [{}]}]},
         "steps": [{"at": "0ms", "do": "select", "image": "A"}]}
        """#,
      report: #"""
        warning[W03]: no image has the path "/A.png", so nothing requests this route
          --> x.json:2:33
           |
         2 |  "origin": {"routes": [{"path": "/A.png", "responses": [{}]}]},
           |                                 ^^^^^^^^ did you mean "/a.png"?
        """#),
    Golden(
      code: .unseenView, promise: "A step for a view that never appears causes a warning",
      text: #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "steps": [{"at": "0ms", "do": "appear"},
           {"at": "10ms", "do": "select", "image": "A", "view": "second"}]}
        """#,
      report: #"""
        warning[W04]: the view "second" never appears, so it never shows anything
          --> x.json:3:4
           |
         3 |    {"at": "10ms", "do": "select", "image": "A", "view": "second"}]}
           |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ add an "appear" step for it, or write "detail"
        """#),
    Golden(
      code: .unknownIndex, promise: "An index that no enclosing repetition has causes one warning for all rounds",
      text: #"""
        {"scenario": 1, "name": "x",
         "steps": [{"repeat": 2, "steps": [{"at": "0ms", "do": "note", "text": "{n} of {i}"}]}]}
        """#,
      report: #"""
        warning[W05]: nothing replaces "{i}": no enclosing repetition has that index
          --> x.json:2:72
           |
         2 |      ... "0ms", "do": "note", "text": "{n} of {i}"}]}]}
           |                                       ^^^^^^^^^^^^ write "{n}" inside a "repeat", or add "index": "i" to the "repeat"
        """#),
    Golden(
      code: .placeholderCounts, promise: "An update that the placeholder satisfies causes a warning",
      text: #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A", "id": "pick"}],
         "expect": [
          {"within": {"event": "ui.update", "image": "A", "after": "pick", "limit": "1s"}}]}
        """#,
      report: #"""
        warning[W06]: drawing the placeholder of "A" also counts as this update
          --> x.json:4:24
           |
         4 |   {"within": {"event": "ui.update", "image": "A", "after": "pick", "limit" ...
           |                        ^^^^^^^^^^^ add "shown": "A"
        """#),
    Golden(
      code: .emptyPattern, promise: "A pattern with a path or a status that no request has causes a warning",
      text: #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"}],
         "expect": [
          {"never": {"event": "request.begin", "path": "/aa.png"}},
          {"never": {"event": "request.end", "status": 500}}]}
        """#,
      report: #"""
        warning[W07]: no image has the path "/aa.png", so nothing requests it
          --> x.json:4:48
           |
         4 |   {"never": {"event": "request.begin", "path": "/aa.png"}},
           |                                                ^^^^^^^^^ did you mean "/a.png"?

        warning[W07]: no response of this file has the status 500
          --> x.json:5:48
           |
         5 |   {"never": {"event": "request.end", "status": 500}}]}
           |                                                ^^^ add a response with it to "origin", or remove this
        """#),
  ]
}
