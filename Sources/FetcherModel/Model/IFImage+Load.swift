public import EventBus

extension IFImage {
  /// Reads the picture and hands it over, or why there is none: once, on main, never inside this call.
  ///
  /// Joins a fetch under way, and ends with that fetch, after its event. Keeps the image until then. A picture that is at
  /// hand needs no fetch.
  ///
  /// - Returns: a handle; cancelling it ends this wait alone with `cancelled`, and the fetch continues while the image lives.
  ///   Dropping it changes nothing.
  @discardableResult public func load(
    _ completion: @escaping @Sendable (Result<Picture, FetchError>) -> Void
  ) -> any Cancellation {
    let main = environment.runtime.main
    let wait = Wait(cancelled: .failure(.cancelled), on: main)
    _ = wait.start(completion)
    wait.hold(LoadingImage(image: self, wait: wait))
    if let picture = read(for: wait) { main.schedule { wait.complete(.success(picture)) } }
    return wait
  }

  /// The picture, fetched if need be.
  ///
  /// Cancelling the calling task ends this wait with `cancelled`, and leaves the fetch to others who wait for the image;
  /// ``cancel()`` ends it for all.
  ///
  /// - Throws: why there is no picture.
  public func load() async throws(FetchError) -> Picture {
    try await Wait.value(cancelled: .failure(.cancelled)) { load($0) }.get()
  }
}

/// Keeps an image while somebody waits for it.
private struct LoadingImage: Cancellation {
  let image: IFImage
  let wait: IFImage.Wait

  func cancel() { image.forget(wait) }
}
