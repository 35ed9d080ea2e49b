/// A store of lines in their order of arrival, which may differ from the order in which they were written.
actor Journal {
  private(set) var lines: [Int] = []

  func write(_ line: Int) { lines.append(line) }
}

/// A writer that writes each line in a separate task.
struct HastyWriter {
  let journal: Journal

  func write(_ lines: [Int]) -> [Task<Void, Never>] { lines.map { line in Task { await journal.write(line) } } }
}

/// A writer that writes all lines through a stream, which one task reads.
struct OrderlyWriter {
  let journal: Journal

  func write(_ lines: [Int]) -> [Task<Void, Never>] {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for line in lines { continuation.yield(line) }
    continuation.finish()
    return [Task { for await line in stream { await journal.write(line) } }]
  }
}
