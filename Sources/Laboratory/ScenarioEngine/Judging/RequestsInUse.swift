import ScenarioFormat

/// The requests of a trace that somebody still has a use for, while the trace is read from its beginning.
///
/// A request is of no use from when it is called off or its head tells of a failure, and from when nobody waits for
/// its path: a blocking read goes on then.
struct RequestsInUse {
  private let requests: [RequestLog.Request]
  private let begins: [Int: Int]
  private let ends: [Int: Int]
  private let abandoned: [Int: [Int]]
  private var inUse: [ScenarioPath: Set<Int>] = [:]
  /// How many fetches of each path are under way.
  private var fetches: [ScenarioPath: Int] = [:]
  /// Paths whose fetches have begun a request.
  private var requested: Set<ScenarioPath> = []
  /// Paths that were given up before a request began. It may have been on its way, and begin now.
  private var overtaken: Set<ScenarioPath> = []

  init(_ requests: [RequestLog.Request]) {
    self.requests = requests
    let numbers = requests.indices
    begins = Dictionary(uniqueKeysWithValues: numbers.map { (requests[$0].begin, $0) })
    ends = Dictionary(numbers.compactMap { number in requests[number].end.map { ($0, number) } }) { first, _ in first }
    abandoned = Dictionary(grouping: numbers.filter { requests[$0].abandoned != nil }) { requests[$0].abandoned ?? 0 }
  }

  /// Removes what was abandoned before the event at a position.
  mutating func removeAbandoned(before position: Int) {
    for number in abandoned[position] ?? [] { remove(number) }
  }

  mutating func beginFetch(of path: ScenarioPath) { fetches[path, default: 0] += 1 }

  /// Some fetches of a path have ended.
  ///
  /// - Parameter isGivenUp: whether nobody wanted their result any more.
  mutating func endFetches(of path: ScenarioPath, _ count: Int, isGivenUp: Bool) {
    let left = max(0, (fetches[path] ?? 0) - count)
    fetches[path] = left
    guard left == 0 else { return }
    inUse[path] = nil
    let hasRequest = requested.remove(path) != nil
    if isGivenUp, !hasRequest { overtaken.insert(path) } else { overtaken.remove(path) }
  }

  /// Takes the beginning of a request in. Returns false where another one of its path is in use.
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
    // Of these two, one is the request of a fetch that was given up.
    return isAlone || overtaken.remove(path) != nil
  }

  /// Where the oldest request of a path that is in use has begun.
  func oldest(of path: ScenarioPath) -> Int? { inUse[path]?.min().map { requests[$0].begin } }

  mutating func end(at position: Int) {
    if let number = ends[position] { remove(number) }
  }

  private mutating func remove(_ number: Int) {
    let path = requests[number].path
    inUse[path]?.remove(number)
    if inUse[path]?.isEmpty == true { inUse[path] = nil }
  }
}
