/// Returns the sum of a stream's elements, which it reads slowly.
func sum(of count: Int, keeping policy: AsyncStream<Int>.Continuation.BufferingPolicy) async -> Int {
  let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: policy)
  Task {
    for number in 1...count {
      continuation.yield(number)
      await Task.yield()
    }
    continuation.finish()
  }
  var sum = 0
  for await number in stream {
    sum += number
    await Task.yield()
  }
  return sum
}
