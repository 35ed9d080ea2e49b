extension IFImage {
  /// The current state, followed by each change of it, once and in order. Reading the stream never starts a fetch.
  ///
  /// A change is reported whatever causes it: a fetch, a cancellation, ``unload()``, or a load that takes the picture from
  /// the cache, for which there is no event. The stream keeps the changes that its reader has not read yet.
  ///
  /// The stream ends when the task that reads it is cancelled. Until then, or until the stream is released, it retains the
  /// image. Each stream has one reader.
  public var states: AsyncStream<ImageState> {
    AsyncStream { continuation in
      let remove = observe(continuation)
      continuation.onTermination = { _ in remove() }
    }
  }
}
