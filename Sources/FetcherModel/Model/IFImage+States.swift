import EventBus

extension IFImage {
  /// The current state, followed by each change that a fetch causes. Reading the stream never starts a fetch.
  ///
  /// The stream subscribes to the events of this image, until the task that reads it is cancelled or the stream is
  /// released. Until then, it retains the image. A picture that a read takes from the cache posts no event, so the stream
  /// does not report it. A reader that falls behind skips to the latest state. Each stream has one reader.
  public var states: AsyncStream<ImageState> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let bus = environment.bus
      let last = Locked<ImageState?>(nil)
      // The lock covers reading and yielding, so that an older state never follows a newer one.
      let yield: @Sendable () -> Void = {
        last.withLock { last in
          let state = self.state
          if state != last { continuation.yield(state) }
          last = state
        }
      }
      let subscriptions = [
        bus.subscribe(to: ImageFetchStarted.self, key: id, name: "states") { _ in yield() },
        bus.subscribe(to: ImageFetched.self, key: id, name: "states") { _ in yield() },
        bus.subscribe(to: ImageFetchFailed.self, key: id, name: "states") { _ in yield() },
        bus.subscribe(to: ImageFetchCancelled.self, key: id, name: "states") { _ in yield() },
      ]
      yield()
      continuation.onTermination = { _ in for subscription in subscriptions { subscription.cancel() } }
    }
  }
}
