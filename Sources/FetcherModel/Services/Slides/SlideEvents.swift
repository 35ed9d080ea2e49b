public import EventBus

/// A slide of a ``SlideManager`` became a favorite, or stopped being one. Posted on main, after the manager's state
/// has changed.
public struct SlideFavoriteChanged: Event {
  /// The slide in its new state.
  public let slide: Slide
}

/// The picture of a slide has arrived. Posted on main, after the state of its ``SlideManager`` has changed.
public struct SlidePictureFetched: KeyedEvent {
  /// The slide.
  public let slideID: Slide.ID
  /// The slide, as the key for subscriptions to its events.
  public var key: Slide.ID { slideID }
}

/// The picture of a slide failed to load. Posted on main, after the state of its ``SlideManager`` has changed.
public struct SlidePictureFailed: KeyedEvent {
  /// The slide.
  public let slideID: Slide.ID
  /// The slide, as the key for subscriptions to its events.
  public var key: Slide.ID { slideID }
}
