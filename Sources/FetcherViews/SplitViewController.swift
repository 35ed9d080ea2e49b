import EventBus
public import FetcherModel

/// The list and the picture page together: side by side if there is room, otherwise one of them.
///
/// Collapsed, the list is visible only while the picture page has no picture.
@MainActor public final class SplitViewController {
  /// The available room.
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

  /// The list of images.
  public let list: ListViewController
  /// The picture page.
  public let detail: ImageViewController
  /// The visible pages, from left to right.
  public private(set) var visiblePages: [Page] = []
  private var layout: Layout
  private var isVisible = false
  private let runtime: any Runtime

  /// Combines two pages.
  public init(
    _ list: ListViewController, _ detail: ImageViewController, layout: Layout, in environment: FetchEnvironment
  ) {
    self.list = list
    self.detail = detail
    self.layout = layout
    runtime = environment.runtime
  }

  /// Appears.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    arrange()
  }

  /// Disappears.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
    arrange()
  }

  /// Adapts to a rotated or resized window.
  public func setLayout(_ layout: Layout) {
    self.layout = layout
    arrange()
  }

  /// Handles a tap on a row: the picture page gets its picture.
  public func select(_ row: Int) {
    detail.show(list.select(row))
    arrange()
  }

  /// Returns to the list: the picture page has no picture any more.
  public func goBack() {
    list.select(nil)
    // Hide it first, so that it does not draw an empty page.
    if layout == .collapsed { replacePages(with: visiblePages.filter { $0 != .picture }) }
    detail.show(nil)
    arrange()
  }

  private func arrange() {
    switch (isVisible, layout) {
    case (false, _): replacePages(with: [])
    case (true, .sideBySide): replacePages(with: [.list, .picture])
    case (true, .collapsed): replacePages(with: detail.image != nil ? [.picture] : [.list])
    }
  }

  private func replacePages(with new: [Page]) {
    let old = visiblePages
    visiblePages = new
    for page in old where !new.contains(page) { disappear(page) }
    for page in new where !old.contains(page) { appear(page) }
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
