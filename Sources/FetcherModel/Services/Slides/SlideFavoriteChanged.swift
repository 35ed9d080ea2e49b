public import EventBus

/// A slide of a ``SlideManager`` became a favourite, or is none any more. Posted on main, after the manager's state has changed.
public struct SlideFavoriteChanged: Event {
  /// The slide as it is now.
  public let slide: Slide
}
