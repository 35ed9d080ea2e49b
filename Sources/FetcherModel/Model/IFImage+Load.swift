public import EventBus

extension IFImage {
  /// Loads the picture and passes it, or the error, to `completion`, which is called once, on main, isolated to the
  /// main actor, and never synchronously.
  ///
  /// If a fetch is in flight, this method joins the fetch. The completion is called after the bus has delivered the
  /// final event of the fetch to its subscribers on main. The image is retained until then. A picture that is loaded or
  /// cached is not fetched again, so no event is posted.
  ///
  /// If the handle or the fetch is cancelled, the completion receives `.failure(.cancelled)`, the error that ``load()``
  /// throws. The model never reports a `CancellationError`.
  ///
  /// - Returns: a handle. Cancelling it ends this wait. The fetch ends too, with ``ImageFetchCancelled``,
  ///   if only loads wanted it and this was the last one; ``image``, ``startLoading()`` and ``startReloading()`` let it
  ///   continue. Releasing the handle has no effect.
  @discardableResult public func load(
    _ completion: @escaping @MainActor @Sendable (Result<Picture, FetchError>) -> Void
  ) -> any Cancellation {
    read { [runtime = environment.runtime] result in runtime.assumeMainActor { completion(result) } }
  }

  /// Loads the picture as ``load(_:)`` does, or fetches it again. The completion is not isolated.
  private func read(
    reloading: Bool = false, _ completion: @escaping @Sendable (Result<Picture, FetchError>) -> Void
  ) -> any Cancellation {
    let main = environment.runtime.main
    let wait = ImageCore.Wait(cancelled: .failure(.cancelled), on: main)
    _ = wait.start(completion)
    wait.hold(LoadingImage(image: self, wait: wait))
    if reloading {
      start(for: wait, isReload: true)
    } else if let picture = read(for: wait) {
      main.schedule { wait.completeAndCancelWork(.success(picture)) }
    }
    return wait
  }

  /// Returns the picture, fetching it if necessary.
  ///
  /// If the picture is fetched, this method returns after the bus has delivered the final event of the fetch to its
  /// subscribers on main.
  ///
  /// Cancelling the calling task ends this wait immediately and throws ``FetchError/cancelled``, not a
  /// `CancellationError`. If it was the last wait, the fetch ends too, with ``ImageFetchCancelled``, unless ``image``,
  /// ``startLoading()`` or ``startReloading()`` also asked for it. ``cancel()`` ends the fetch for all callers.
  ///
  /// - Throws: the fetch error, or `cancelled`.
  public func load() async throws(FetchError) -> Picture {
    try await result().get()
  }

  /// Fetches the picture again, as ``startReloading()`` does, and returns the new picture. A fetch in flight is joined.
  ///
  /// Returns, and responds to a cancellation of the calling task, as ``load()`` does.
  ///
  /// - Throws: the fetch error, or `cancelled`. The image then keeps the old picture, if there is one.
  public func reload() async throws(FetchError) -> Picture {
    try await ImageCore.Wait.value(cancelled: .failure(.cancelled)) { read(reloading: true, $0) }.get()
  }

  /// Waits for the fetch and returns its result, as ``load()`` does.
  package func result() async -> Result<Picture, FetchError> {
    await ImageCore.Wait.value(cancelled: .failure(.cancelled)) { read($0) }
  }
}

/// Retains an image while a caller waits for it.
private struct LoadingImage: Cancellation {
  let image: IFImage
  let wait: ImageCore.Wait

  func cancel() { image.core.forget(wait) }
}

extension ImageCache {
  /// Returns the picture that a read of `image` would take from this cache, and marks it as most recently used. The
  /// header fields of the image and its environment are taken into account.
  public func picture(for image: IFImage) -> Picture? { picture(for: image.key) }

  /// Removes the picture that a read of `image` would take from this cache. The image keeps the picture if it is
  /// loaded.
  ///
  /// - Returns: whether the cache contained the picture.
  @discardableResult public func removePicture(for image: IFImage) -> Bool {
    removePicture(for: image.key)
  }
}
