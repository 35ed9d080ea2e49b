/// Receives lines in the order in which they were written, or so its users hope.
actor Journal {
  private(set) var lines: [Int] = []

  func write(_ line: Int) { lines.append(line) }
}

/// Writes each line in a task of its own.
struct HastyWriter {
  let journal: Journal

  func write(_ lines: [Int]) -> [Task<Void, Never>] { lines.map { line in Task { await journal.write(line) } } }
}

/// Writes through a stream, which one task reads.
struct OrderlyWriter {
  let journal: Journal

  func write(_ lines: [Int]) -> [Task<Void, Never>] {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for line in lines { continuation.yield(line) }
    continuation.finish()
    return [Task { for await line in stream { await journal.write(line) } }]
  }
}
