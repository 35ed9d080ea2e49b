package import ScenarioFormat

/// Sample scenarios: one that uses every key and every word of the format, and the example of the page.
package enum SampleScenario {
  /// Parses a text under a valid file name.
  package static func file(_ text: String, vocabulary: Vocabulary = .sample) -> ScenarioFile {
    ScenarioFile(SourceText(path: "x.json", bytes: Array(text.utf8)), name: "x", vocabulary: vocabulary)
  }

  /// The example on the page that describes the format.
  package static let example = """
    { "scenario": 1, "name": "late-response", "title": "The slow first image wins", "lesson": "L03",
      "timing": "any", "strategies": ["dataTask", "async"], "variants": ["last-answer-wins", "fixed"],
      "images": [ {"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"} ],
      "origin": { "routes": [ {"path": "/a.png", "responses": [{"body": "A", "latency": "60ms"}]},
                              {"path": "/b.png", "responses": [{"body": "B", "latency": "60ms"}]} ] },
      "steps": [ {"at": "0ms", "do": "appear", "view": "detail"},
                 {"at": "10ms", "do": "select", "image": "A", "id": "a"},
                 {"after": "a", "plus": "20ms", "do": "select", "image": "B"} ],
      "expect": [ {"final": {"detail.shown": "B"}, "why": "The view must show the last selection, not the last answer."},
                  {"lane": {"event": "ui.update", "is": "main"}} ] }
    """

  /// A scenario with every key and every word.
  package static let everything = """
    {
      "scenario": 1, "name": "x", "title": "Everything", "description": "All of it", "lesson": "X2", "seed": 7,
      "clock": "virtual", "timing": {"slack": "15ms"}, "pool": {"model": "linux", "cores": 2},
      "strategies": ["blocking", "async"], "program": "list-and-picture", "variant": "fixed", "clocks": ["virtual"],
      "images": [{"id": "A", "path": "/a.png", "size": "64x48"}, {"id": "B", "path": "/b.png"},
                 {"count": 3, "from": 5, "id": "p{n}", "path": "/p{n}.png", "size": "8x8"}],
      "cache": {"pictures": 3, "bytes": 100000}, "onDisappear": "cancel",
      "limits": {"retries": 2, "retryDelay": "10ms", "backoff": 2, "inFlight": 4, "deadline": "30s"},
      "origin": {
        "default": {"status": 404, "body": {"bytes": 20}, "headers": {"X-Which": "default"}},
        "routes": [
          {"path": "/a.png", "then": "cycle", "responses": [
            {"body": "A", "latency": "1.5s", "bandwidth": 65536, "chunks": 512},
            {"latency": {"uniform": ["250us", "30ms"]}, "fault": "refuse"},
            {"latency": {"lognormal": {"median": "20ms", "sigma": 0.5, "max": "2s"}}, "fault": "reset", "after": 10},
            {"body": {"file": "big/one.png"}, "fault": "close-before-headers", "probability": 0.25},
            {"body": {"json": {"a": [1, 2.5, null, true, "x"]}}, "fault": "stall", "after": 0},
            {"body": "B", "fault": "truncate", "after": 100}, {"fault": "garbage"}, {"fault": "malformed-chunk"},
            {"fault": "slow-close"}, {"when": {"X-Token": "2"}, "body": "A", "headers": {"ETag": "a"}}
          ]},
          {"path": "/b.png", "then": "error", "responses": [{"body": "B"}]}
        ]
      },
      "steps": [
        {"at": "0ms", "do": "appear", "id": "start"},
        {"at": "0ms", "do": "subscribe", "subscriber": "one", "topic": "saved", "delivery": "workers"},
        {"at": "1ms", "do": "select", "image": "A", "view": "detail"},
        {"after": "start", "plus": "2ms", "do": "switch", "strategy": "async"},
        {"at": "3ms", "do": "publish", "topic": "saved", "lane": "workers"},
        {"at": "3ms", "do": "note", "text": "half of it"},
        {"at": "4ms", "do": "cancel", "image": "A"},
        {"at": "4ms", "do": "origin", "path": "/a.png", "then": "repeat-last", "responses": [{"body": "A"}]},
        {"at": "5ms", "do": "memory-warning"},
        {"at": "5ms", "do": "select", "image": "B"},
        {"after": {"event": "fetch.done", "image": "B"}, "plus": "1ms", "do": "deselect"},
        {"at": "6ms", "do": "wait-idle"},
        {"at": "6ms", "do": "unsubscribe", "subscriber": "one"},
        {"at": "7ms", "do": "drop-model", "image": "A"},
        {"at": "7ms", "do": "drop-model"},
        {"at": "8ms", "do": "disappear"},
        {"at": "8ms", "do": "origin", "all": [{}, {"latency": "1s"}], "then": "repeat-last"},
        {"at": "8ms", "do": "network", "latency": {"uniform": ["1ms", "2ms"]}, "bandwidth": 100000},
        {"at": "8ms", "do": "send", "headers": {"X-Token": "2"}},
        {"at": "8ms", "do": "busy", "for": "2ms"},
        {"repeat": 3, "index": "i", "from": 7, "by": -1, "at": "10ms", "every": "5ms", "steps": [
          {"at": "0ms", "do": "appear", "view": "row{i}"},
          {"at": "1ms", "do": "select", "image": "p{i}", "view": "row{i}"}
        ]}
      ],
      "expect": [
        {"final": {"detail.shown": null, "detail.visible": false, "B.state": "idle"}, "why": "All is over."},
        {"never": {"event": "fetch.failed", "image": "B", "error": "truncated"}},
        {"always": {"event": "ui.update", "view": "detail", "is": {"lane": "main", "shown": "placeholder"}}},
        {"count": {"event": "request.begin", "image": "B", "path": "/b.png", "equals": 1}},
        {"count": {"event": "request.end", "status": 200, "atLeast": 1, "atMost": 3}},
        {"nth": {"event": "request.begin", "number": 2, "is": {"path": "/b.png"}}},
        {"atOnce": {"event": "fetch.start", "atMost": 4}},
        {"apart": {"event": "request.end", "header": "etag: a", "atLeast": "1ms"}},
        {"order": [{"event": "bus.post", "topic": "saved"}, {"event": "bus.deliver", "subscriber": "one"}]},
        {"within": {"event": "fetch.done", "image": "B", "after": {"event": "view.select", "image": "B"}, "limit": "1s"}},
        {"outcome": {"image": "A", "is": "cancelled"}},
        {"outcome": {"image": "B", "is": "error:badStatus"}},
        {"leaks": {"models": 0, "subscriptions": 1}},
        {"lane": {"event": "fetch.start", "strategy": "async", "is": "main"}},
        {"stall": {"atMost": "16ms"}}
      ],
      "explore": {"search": "pct", "runs": 1000, "delays": 3, "budget": "2s", "find": ["stale-image"], "token": "L1.x"}
    }
    """
}

extension Vocabulary {
  /// The vocabulary with the strategies that the samples name.
  package static let sample = Vocabulary(
    strategies: ["blocking", "dataTask", "downloadTask", "async", "socket"], lessons: ["L03", "X2"])
}
