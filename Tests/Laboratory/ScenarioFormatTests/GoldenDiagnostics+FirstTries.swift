@testable import ScenarioFormat

extension GoldenDiagnostics {
  /// The reports for mistakes that are common in first attempts.
  static let firstTries = [
    Golden(
      code: .wrongValue, promise: "The advice for an image that is only a name shows the object to write",
      text: #"""
        {"scenario": 1, "name": "x", "images": ["A", "B"],
         "steps": [{"at": "0ms", "do": "select", "image": "A"}]}
        """#,
      report: #"""
        error[E15]: an image is an object, not a string
          --> x.json:1:41
           |
         1 | {"scenario": 1, "name": "x", "images": ["A", "B"],
           |                                         ^^^ write {"id": "A", "path": "/a.png"}

        error[E15]: an image is an object, not a string
          --> x.json:1:46
           |
         1 | {"scenario": 1, "name": "x", "images": ["A", "B"],
           |                                              ^^^ write {"id": "B", "path": "/b.png"}
        """#),
    Golden(
      code: .wrongValue, promise: "A tap on an image is reported once, and the advice suggests select",
      text: #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "steps": [{"at": "0ms", "do": "tap", "image": "A"}],
         "expect": [{"final": {"detail.shown": "A"}}]}
        """#,
      report: #"""
        error[E15]: the step "tap" is for a control; the step for an image is "select"
          --> x.json:2:32
           |
         2 |  "steps": [{"at": "0ms", "do": "tap", "image": "A"}],
           |                                ^^^^^ write "do": "select"
        """#),
    Golden(
      code: .durationWithoutUnit, promise: "The advice for a fraction without a unit offers seconds and milliseconds",
      text: #"""
        {"scenario": 1, "name": "x", "limits": {"retries": 1, "retryDelay": 0.1}, "steps": []}
        """#,
      report: #"""
        error[E14]: a duration needs a unit
          --> x.json:1:69
           |
         1 |      ... {"retries": 1, "retryDelay": 0.1}, "steps": []}
           |                                       ^^^ write "100ms" if the number is in seconds, or "0.1ms"
        """#),
    Golden(
      code: .wrongValue, promise: "The advice for an unknown retry event names the event that shows a retry",
      text: #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "steps": [{"at": "0ms", "do": "select", "image": "A"}],
         "expect": [
          {"count": {"event": "fetch.retry", "equals": 1}}]}
        """#,
      report: #"""
        error[E15]: unknown event "fetch.retry"; choose from view.appear, view.disappear, view.select, view.deselect, view.tap, ui.update, page.show, fetch.start, fetch.progress, fetch.done, fetch.failed, fetch.cancelled, request.begin, request.end, service.answer, bus.post, bus.deliver, bus.subscribe, bus.unsubscribe, bus.drop, bus.discard, bus.fail, cache.hit, memory.warning, strategy.switch, headers.change, model.drop, origin.change, network.change, note
          --> x.json:4:23
           |
         4 |   {"count": {"event": "fetch.retry", "equals": 1}}]}
           |                       ^^^^^^^^^^^^^ a retry is another "request.begin" of the same fetch; count those, or compare their times with "apart"
        """#),
    Golden(
      code: .unknownKey, promise: "The advice for a default with responses points to routes and to all",
      text: #"""
        {"scenario": 1, "name": "x",
         "origin": {"default": {"responses": [{"latency": "50ms"}]}}, "steps": []}
        """#,
      report: #"""
        error[E07]: "default" is one response, such as {"latency": "50ms"}, and has no "responses"
          --> x.json:2:25
           |
         2 |  "origin": {"default": {"responses": [{"latency": "50ms"}]}}, "steps": []}
           |                         ^^^^^^^^^^^ a list of responses belongs to a path in "routes", or to a step {"do": "origin", "all": [...]}
        """#),
    Golden(
      code: .unknownStep, promise: "A time limit must refer to a step of the file",
      text: #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "steps": [{"at": "0ms", "do": "select", "image": "A", "id": "first"}],
         "expect": [
          {"within": {"event": "fetch.done", "after": "frist", "limit": "50ms"}}]}
        """#,
      report: #"""
        error[E21]: there is no step "frist"
          --> x.json:4:47
           |
         4 |      ... "fetch.done", "after": "frist", "limit": "50ms"}}]}
           |                                 ^^^^^^^ did you mean "first"?
        """#),
    Golden(
      code: .wrongValue, promise: "The advice for slack as a word shows the object to write",
      text: #"""
        {"scenario": 1, "name": "x", "timing": "slack", "steps": []}
        """#,
      report: #"""
        error[E15]: unknown timing "slack"; choose from exact, any
          --> x.json:1:40
           |
         1 | {"scenario": 1, "name": "x", "timing": "slack", "steps": []}
           |                                        ^^^^^^^ write {"slack": "100ms"}
        """#),
  ]
}
