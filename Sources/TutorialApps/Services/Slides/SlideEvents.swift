public import EventBus
import FetcherModel

/// A slide of a ``SlideManager`` was marked or unmarked as a favorite. Posted on main, after the manager's state has
/// changed.
public struct SlideFavoriteChanged: Event {
  /// The slide with its new state.
  public let slide: Slide
}

/// A slide's picture has arrived. Posted on main, after the state of its ``SlideManager`` has changed.
public struct SlidePictureFetched: KeyedEvent {
  /// The slide.
  public let slideID: Slide.ID
  /// The slide, as the key for subscribing to its events.
  public var key: Slide.ID { slideID }
}

/// A slide's picture failed to load. Posted on main, after the state of its ``SlideManager`` has changed.
public struct SlidePictureFailed: KeyedEvent {
  /// The slide.
  public let slideID: Slide.ID
  /// The slide, as the key for subscribing to its events.
  public var key: Slide.ID { slideID }
}
