extension IFImage {
  /// The current state, followed by each change of it, once and in order. Reading the stream never starts a fetch.
  ///
  /// A change is reported whatever causes it: a fetch, a reload that fails, a cancellation, ``unload()``, or a load
  /// that takes the picture from the cache, for which there is no event. The stream keeps the changes that its reader
  /// has not read yet.
  ///
  /// The stream does not retain the image. It ends when the image is released, after the state that its cancelled fetch
  /// leaves behind, or when the task that reads it is cancelled. Each stream has one reader.
  public var states: AsyncStream<ImageState> { AsyncStream { core.add($0) } }
}
