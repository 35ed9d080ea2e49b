import ScenarioFormat

/// The requests that fetches still use at a position in the trace.
///
/// A request is in use until it is cancelled, its head reports a failure, or no fetch is waiting for its path. A
/// blocking read that is no longer in use still occupies its thread.
struct RequestsInUse {
  private let requests: [RequestLog.Request]
  private let begins: [Int: Int]
  private let ends: [Int: Int]
  private let abandoned: [Int: [Int]]
  private var inUse: [ScenarioPath: Set<Int>] = [:]
  /// The number of fetches in flight, keyed by path.
  private var fetches: [ScenarioPath: Int] = [:]
  /// The paths whose fetches have started a request.
  private var requested: Set<ScenarioPath> = []
  /// The paths whose fetches were abandoned before a request started. A request for such a path may have been about to
  /// start, and may still start.
  private var overtaken: Set<ScenarioPath> = []

  init(_ requests: [RequestLog.Request]) {
    self.requests = requests
    let numbers = requests.indices
    begins = Dictionary(uniqueKeysWithValues: numbers.map { (requests[$0].begin, $0) })
    ends = Dictionary(numbers.compactMap { number in requests[number].end.map { ($0, number) } }) { first, _ in first }
    abandoned = Dictionary(grouping: numbers.filter { requests[$0].abandoned != nil }) { requests[$0].abandoned ?? 0 }
  }

  /// Removes the requests that were abandoned before the event at this position.
  mutating func removeAbandoned(before position: Int) {
    for number in abandoned[position] ?? [] { remove(number) }
  }

  mutating func beginFetch(of path: ScenarioPath) { fetches[path, default: 0] += 1 }

  /// Records that a fetch of a path has ended.
  ///
  /// - Parameter isGivenUp: whether the fetch was abandoned because no caller was waiting for its result any
  ///   longer.
  mutating func endFetch(of path: ScenarioPath, isGivenUp: Bool) {
    let left = max(0, (fetches[path] ?? 0) - 1)
    fetches[path] = left
    guard left == 0 else { return }
    inUse[path] = nil
    let hasRequest = requested.remove(path) != nil
    if isGivenUp, !hasRequest { overtaken.insert(path) } else { overtaken.remove(path) }
  }

  /// Processes the start of a request. Returns false if another request for the same path is in use.
  mutating func begin(at position: Int) -> Bool {
    guard let number = begins[position] else { return true }
    let path = requests[number].path
    let isAlone = inUse[path] == nil
    let isOvertaken = overtaken.contains(path)
    if isAlone, isOvertaken, fetches[path] == 0 {
      overtaken.remove(path)
      return true
    }
    requested.insert(path)
    inUse[path, default: []].insert(number)
    // A second request is allowed if one of the two belongs to an abandoned fetch.
    return isAlone || overtaken.remove(path) != nil
  }

  /// The position in the trace at which the oldest request in use for a path began.
  func oldest(of path: ScenarioPath) -> Int? { inUse[path]?.min().map { requests[$0].begin } }

  /// Whether no request is in use, and no fetch in flight has started one.
  var areIdle: Bool { inUse.isEmpty && requested.isEmpty }

  mutating func end(at position: Int) {
    if let number = ends[position] { remove(number) }
  }

  private mutating func remove(_ number: Int) {
    let path = requests[number].path
    inUse[path]?.remove(number)
    if inUse[path]?.isEmpty == true { inUse[path] = nil }
  }
}
