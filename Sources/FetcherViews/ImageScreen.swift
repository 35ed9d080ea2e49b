import EventBus
public import FetcherModel
public import Observation

/// The picture page for SwiftUI, which makes the screen of an ``ImageViewController`` observable to a view.
///
/// Call ``appear()`` in `onAppear` and ``disappear()`` in `onDisappear`. The bus delivers events to this object only
/// between these two calls.
@MainActor @Observable public final class ImageScreen {
  /// The name of the image, or nil before ``appear()``.
  public private(set) var title: String?
  /// The picture or the placeholder, or nil before ``appear()``.
  public private(set) var picture: Picture?
  /// The error message, or nil.
  public private(set) var problem: String?

  @ObservationIgnored private lazy var page = ImageViewController(in: environment, name: name) { [weak self] screen in
    self?.publish(screen)
  }
  private let image: IFImage
  private let environment: FetchEnvironment
  private let name: String

  /// Creates a screen. The initializer does not start a fetch.
  ///
  /// - Parameters:
  ///   - image: the image to show.
  ///   - environment: the environment of the image.
  ///   - name: the name that the bus's trace and subscription list show for this screen's subscriptions.
  public init(_ image: IFImage, in environment: FetchEnvironment, name: String = "picture") {
    (self.image, self.environment, self.name) = (image, environment, name)
  }

  /// Subscribes, and fetches the picture if necessary.
  public func appear() {
    environment.runtime.requireMain()
    page.show(image)
    page.viewWillAppear()
  }

  /// Cancels the subscriptions. Nothing is published after this call, but the fetch continues.
  public func disappear() {
    environment.runtime.requireMain()
    page.viewWillDisappear()
  }

  private func publish(_ screen: ImageViewController.Screen) {
    (title, picture, problem) = (screen.title, screen.picture, screen.problem)
  }
}
