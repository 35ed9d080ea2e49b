import EventBus
import FetcherModel
import FetcherViews

/// Makes the picture page of the demo, and writes down each time it draws.
struct DetailWatcher: Sendable {
  private let journal: Journal
  private let tally: Confined<DemoSummary>

  init(_ journal: Journal, _ tally: Confined<DemoSummary>) {
    self.journal = journal
    self.tally = tally
  }

  /// A page whose drawings go into the journal; those that nobody could see are counted.
  func page(in environment: FetchEnvironment) -> ImageViewController {
    let page = Confined<WeakPage>(environment.runtime.main, WeakPage())
    let view = ImageViewController(in: environment) { screen in
      let isVisible = page.withValue { $0.view?.isVisible ?? true }
      if !isVisible { tally.withValue { $0.drawnOutOfSight += 1 } }
      journal.record(.view, Self.text(screen), .drawn)
    }
    environment.runtime.main.schedule { page.withValue { $0.view = view } }
    return view
  }

  private struct WeakPage {
    weak var view: ImageViewController?
  }

  private static func text(_ screen: ImageViewController.Screen) -> String {
    guard let title = screen.title, let picture = screen.picture else { return "shows an empty page" }
    if screen.problem != nil { return "\(title): placeholder, and the reason" }
    if picture.isPlaceholder { return "\(title): placeholder" }
    return "\(title): \(picture.width) x \(picture.height) \(picture.format.rawValue)"
  }
}
