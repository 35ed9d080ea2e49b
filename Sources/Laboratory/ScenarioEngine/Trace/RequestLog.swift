import ScenarioFormat

/// The requests of a trace, each with the positions in it that concern it.
struct RequestLog: Sendable, Equatable {
  /// One request. All positions count events from zero.
  struct Request: Sendable, Equatable {
    let path: ScenarioPath
    let begin: Int
    /// How many events there were when its client had no more use for it: it was called off, or its head was that of a failure.
    /// Its end may come much later.
    var abandoned: Int?
    var end: Int?
  }

  private(set) var requests: [Request] = []
  /// Those of each path without an end, oldest first.
  private var open: [ScenarioPath: [Int]] = [:]

  /// How many have no end.
  var underWay: Int { open.values.reduce(0) { $0 + $1.count } }

  /// Notes a beginning, and returns the number of the request.
  mutating func begin(_ path: ScenarioPath, at position: Int) -> Int {
    requests.append(Request(path: path, begin: position))
    open[path, default: []].append(requests.count - 1)
    return requests.count - 1
  }

  /// Notes that the client of a request has no more use for it.
  mutating func abandon(_ number: Int, at position: Int) {
    if requests[number].abandoned == nil, requests[number].end == nil { requests[number].abandoned = position }
  }

  /// Notes an end.
  ///
  /// - Parameter number: nil for the oldest of the path that has none.
  mutating func end(_ path: ScenarioPath, _ number: Int?, at position: Int) {
    guard let number = number ?? open[path]?.first, requests[number].end == nil else { return }
    requests[number].end = position
    open[path]?.removeAll { $0 == number }
    if open[path]?.isEmpty == true { open[path] = nil }
  }
}
