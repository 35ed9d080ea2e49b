/// Stores lines in the order in which they arrive, which may differ from the order in which they were written.
actor Journal {
  private(set) var lines: [Int] = []

  func write(_ line: Int) { lines.append(line) }
}

/// Writes each line in a separate task.
struct HastyWriter {
  let journal: Journal

  func write(_ lines: [Int]) -> [Task<Void, Never>] { lines.map { line in Task { await journal.write(line) } } }
}

/// Writes all lines through a stream, which one task reads.
struct OrderlyWriter {
  let journal: Journal

  func write(_ lines: [Int]) -> [Task<Void, Never>] {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for line in lines { continuation.yield(line) }
    continuation.finish()
    return [Task { for await line in stream { await journal.write(line) } }]
  }
}
