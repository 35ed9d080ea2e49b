import EventBus
public import FetcherModel

/// The list and the picture page together: side by side where there is room, else one of them.
///
/// The rule of the collapsed form: the list shows only while the picture page has no picture. Every member is for the
/// main scheduler only.
public final class SplitViewController: Sendable {
  /// How much room there is.
  public enum Layout: Sendable {
    /// Room for both pages.
    case sideBySide
    /// Room for one page at a time.
    case collapsed
  }

  /// The two pages.
  public enum Page: Sendable {
    /// The list of images.
    case list
    /// The page of the chosen picture.
    case picture
  }

  private struct State {
    var layout: Layout
    var isVisible = false
    var visible: [Page] = []
  }

  /// The list of images.
  public let list: ListViewController
  /// The picture page.
  public let detail: ImageViewController
  private let state: Confined<State>

  /// Joins two pages.
  public init(
    _ list: ListViewController, _ detail: ImageViewController, layout: Layout, in environment: FetchEnvironment
  ) {
    self.list = list
    self.detail = detail
    state = Confined(environment.runtime.main, State(layout: layout))
  }

  /// The pages on the screen, from left to right.
  public var visiblePages: [Page] { state.withValue { $0.visible } }

  /// The whole is about to be seen.
  public func viewWillAppear() {
    state.withValue { $0.isVisible = true }
    arrange()
  }

  /// The whole is about to go.
  public func viewWillDisappear() {
    state.withValue { $0.isVisible = false }
    arrange()
  }

  /// The window was rotated or resized.
  public func setLayout(_ layout: Layout) {
    state.withValue { $0.layout = layout }
    arrange()
  }

  /// A row of the list was tapped: the picture page gets its picture.
  public func select(_ row: Int) {
    detail.show(list.select(row))
    arrange()
  }

  /// Back to the list: the picture page has no picture any more.
  public func goBack() {
    list.select(nil)
    // Out of sight first, so that an empty page is not drawn on the way.
    if state.withValue({ $0.layout == .collapsed }) { hide(.picture) }
    detail.show(nil)
    arrange()
  }

  private func arrange() {
    let hasPicture = detail.image != nil
    let (old, new) = state.withValue { state -> ([Page], [Page]) in
      let new: [Page] =
        switch (state.isVisible, state.layout) {
        case (false, _): []
        case (true, .sideBySide): [.list, .picture]
        case (true, .collapsed): hasPicture ? [.picture] : [.list]
        }
      defer { state.visible = new }
      return (state.visible, new)
    }
    for page in old where !new.contains(page) { disappear(page) }
    for page in new where !old.contains(page) { appear(page) }
  }

  private func hide(_ page: Page) {
    let wasVisible = state.withValue { state in
      defer { state.visible.removeAll { $0 == page } }
      return state.visible.contains(page)
    }
    if wasVisible { disappear(page) }
  }

  private func appear(_ page: Page) {
    switch page {
    case .list: list.viewWillAppear()
    case .picture: detail.viewWillAppear()
    }
  }

  private func disappear(_ page: Page) {
    switch page {
    case .list: list.viewWillDisappear()
    case .picture: detail.viewWillDisappear()
    }
  }
}
