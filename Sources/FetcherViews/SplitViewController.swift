import EventBus
public import FetcherModel

/// The list and the picture page together: side by side where there is room, else one of them.
///
/// The rule of the collapsed form: the list shows only while the picture page has no picture.
@MainActor public final class SplitViewController {
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

  /// The list of images.
  public let list: ListViewController
  /// The picture page.
  public let detail: ImageViewController
  /// The pages on the screen, from left to right.
  public private(set) var visiblePages: [Page] = []
  private var layout: Layout
  private var isVisible = false
  private let runtime: any Runtime

  /// Joins two pages.
  public init(
    _ list: ListViewController, _ detail: ImageViewController, layout: Layout, in environment: FetchEnvironment
  ) {
    self.list = list
    self.detail = detail
    self.layout = layout
    runtime = environment.runtime
  }

  /// The whole is about to be seen.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    arrange()
  }

  /// The whole is about to go.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
    arrange()
  }

  /// The window was rotated or resized.
  public func setLayout(_ layout: Layout) {
    self.layout = layout
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
