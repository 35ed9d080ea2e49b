@testable import ScenarioFormat

extension GoldenDiagnostics {
  /// The reports about expectations that no run can break or fulfill.
  static let reach = [
    Golden(
      code: .pointlessExpectation,
      promise: "An expectation about the state of an image that no step selects is rejected",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}],
         "steps": [{"at": "0ms", "do": "appear"},
          {"at": "10ms", "do": "select", "image": "A"}],
         "expect": [{"final": {"B.state": "idle", "A.state": "loaded"}}]}
        """#,
      report: #"""
        error[E31]: an expectation that can never fail: no step selects "B"
          --> x.json:5:24
           |
         5 |  "expect": [{"final": {"B.state": "idle", "A.state": "loaded"}}]}
           |                        ^^^^^^^^^ the steps use only "A"
        """#),
    Golden(
      code: .pointlessExpectation, promise: "An expectation of a value that its own pattern requires can never fail",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}],
         "steps": [{"at": "0ms", "do": "appear"},
          {"at": "10ms", "do": "select", "image": "A"}],
         "expect": [
         {"always": {"event": "ui.update", "image": "A", "is": {"image": "A"}}},
          {"lane": {"event": "ui.update", "lane": "main", "is": "main"}}]}
        """#,
      report: #"""
        error[E31]: an expectation that can never fail: ui.update image=A always has these values
          --> x.json:6:56
           |
         6 |  {"always": {"event": "ui.update", "image": "A", "is": {"image": "A"}}},
           |                                                        ^^^^^^^^^^^^^^ compare a value that the pattern does not contain

        error[E31]: an expectation that can never fail: ui.update lane=main is always on main
          --> x.json:7:57
           |
         7 |   {"lane": {"event": "ui.update", "lane": "main", "is": "main"}}]}
           |                                                         ^^^^^^ remove this expectation
        """#),
    Golden(
      code: .pointlessExpectation, promise: "A limit above the maximum number of events can never fail",
      text: #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}],
         "steps": [{"at": "0ms", "do": "appear"},
          {"at": "10ms", "do": "select", "image": "A"}],
         "expect": [{"count": {"event": "ui.update", "atMost": 20000}}]}
        """#,
      report: #"""
        error[E31]: an expectation that can never fail: a run has at most 10040 events
          --> x.json:5:56
           |
         5 |  "expect": [{"count": {"event": "ui.update", "atMost": 20000}}]}
           |                                                        ^^^^^ choose a smaller number
        """#),
  ]
}
