import PlainText

/// Keys that people write instead of the format's keys, or in the wrong object.
enum ForeignKeys {
  static let placeOfExpectations = "write it in the list \"expect\" of the file, next to \"steps\""

  /// Maps common names to the keys of the format.
  private static let meant: KeyValuePairs = [
    "server": "origin", "backend": "origin", "actions": "steps", "expectations": "expect", "expected": "expect",
    "assertions": "expect", "delay": "latency", "url": "path", "retry": "retries", "time": "limit",
    "timeout": "deadline", "version": "scenario", "formatVersion": "scenario", "urlPath": "path", "code": "status",
    "statusCode": "status", "assert": "expect", "action": "do", "eventually": "within", "not": "never", "is": "equals",
    "assert": "final", "bound": "delays", "schedules": "runs", "seconds": "budget", "min": "atLeast",
    "minimum": "atLeast",
    "max": "atMost", "maximum": "atMost", "max": "limit", "maximum": "limit", "atMost": "limit", "time": "at",
  ]

  /// Maps keys in the wrong object to the key that contains them, with an example.
  private static let containers: [(keys: [String], container: String, example: @Sendable (String) -> String)] = [
    (["retries", "retry"], "limits", { _ in #"{"retries": 1}"# }),
    (["retryDelay", "deadline"], "limits", { #"{"\#($0)": "100ms"}"# }),
    (["backoff", "inFlight"], "limits", { #"{"\#($0)": 2}"# }),
    (["routes", "responses"], "origin", { _ in ResponseForm.exampleOfOrigin }),
    (["status"], "responses", { _ in #"[{"status": 500}]"# }),
    (["body"], "responses", { _ in #"[{"body": "A"}]"# }),
    (["latency", "delay"], "responses", { _ in #"[{"latency": "100ms"}]"# }),
    (["fault", "fail"], "responses", { _ in #"[{"fault": "reset"}]"# }),
    (["headers", "bandwidth", "chunks", "probability"], "responses", { _ in #"[{"status": 200}]"# }),
    (["slack"], "timing", { _ in #"{"slack": "100ms"}"# }),
    (["after", "limit"], "within", { _ in #"{"event": "ui.update", "shown": "A", "after": "ID", "limit": "1s"}"# }),
    (["shown", "visible", "state"], "final", { _ in #"{"detail.shown": "A"}"# }),
  ]

  private static let expectations = [
    "expect", "assert", "final", "never", "always", "count", "order", "within", "outcome", "leaks",
  ]

  /// Returns the key of the format that another name means, or nil if it is unknown here as well.
  static func meaning(of key: String, among keys: [String]) -> String? {
    meant.first { $0.key == key && keys.contains($0.value) }?.value
  }

  /// Returns the advice for a key that belongs in another object, or nil.
  static func place(of key: String, among keys: [String]) -> String? {
    // The keys of an expectation, and words for it, in a step.
    if keys.contains("do"), !keys.contains("event"), expectations.contains(key) { return placeOfExpectations }
    if key == "size", keys.contains("id"), keys.contains("path") {
      return "the size of a picture follows from its file; write it as \"body\" of a response"
    }
    if key == "times", keys.contains("responses") || keys.contains("latency") {
      return #"write the response that often in "responses"; the last one is repeated"#
    }
    let isOfOrigin = ["routes", "responses", "latency"].contains(where: keys.contains)
    if ["retries", "retry", "retryDelay"].contains(key), isOfOrigin, !keys.contains("limits") {
      return #"it applies to all fetches and belongs in "limits", next to "origin""#
    }
    if keys.contains("final"), key.contains(".") {
      return #"it belongs in "final", as in "final": {\#(quoted(key)): "A"}"#
    }
    return containers.first { $0.keys.contains(key) && keys.contains($0.container) }.map {
      #"it belongs in "\#($0.container)", as in "\#($0.container)": \#($0.example(key))"#
    }
  }
}
