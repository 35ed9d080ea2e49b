public import EventBus

/// A slide of a ``SlideManager`` became a favourite, or is none any more. Posted on main, after the manager's state has changed.
public struct SlideFavoriteChanged: Event {
  /// The slide as it is now.
  public let slide: Slide
}

/// The picture of a slide is there. Posted on main, after the state of its ``SlideManager`` has changed.
public struct SlidePictureFetched: KeyedEvent {
  /// Which slide.
  public let slideID: Slide.ID
  /// The slide, so that one can subscribe to its events alone.
  public var key: Slide.ID { slideID }
}

/// The picture of a slide could not be loaded. Posted on main, after the state of its ``SlideManager`` has changed.
public struct SlidePictureFailed: KeyedEvent {
  /// Which slide.
  public let slideID: Slide.ID
  /// The slide, so that one can subscribe to its events alone.
  public var key: Slide.ID { slideID }
}
