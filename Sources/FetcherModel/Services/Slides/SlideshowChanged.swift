public import EventBus

/// A ``SlideManager`` has new slides. Posted on main, after its state is final.
public struct SlideshowChanged: Event {
  /// What it has now.
  public let slideshow: Slideshow
}
