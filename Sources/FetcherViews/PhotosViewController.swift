import EventBus
public import FetcherModel

/// The page of a photo service, without a screen: it draws the list of its store, and shows the picture of the first photo.
///
/// List and picture fail apart: each has its own screen with its own problem, and what is missing is asked for when the page
/// appears again. A photo keeps its picture, so that to choose it again asks for nothing.
@MainActor public final class PhotosViewController {
  /// The screen of the list.
  public typealias List = FetchedListViewController<[Photo], PhotoListError>

  /// The photos of the service.
  public let list: List
  /// The picture of the chosen photo.
  public let photo: ImageViewController
  private let store: PhotoStore
  private let runtime: any Runtime

  /// - Parameters:
  ///   - store: the page's one dependency: where photos and pictures come from.
  ///   - environment: whose bus announces the pictures; that of the store.
  ///   - name: names its subscriptions.
  ///   - onDrawList: called after each change of the list.
  ///   - onDrawPhoto: called after each change of the picture.
  public init(
    _ store: PhotoStore, in environment: FetchEnvironment, name: String = "photos",
    onDrawList: @escaping @MainActor (List.Screen) -> Void = { _ in },
    onDrawPhoto: @escaping @MainActor (ImageViewController.Screen) -> Void = { _ in }
  ) {
    let photo = ImageViewController(in: environment, name: name, onDraw: onDrawPhoto)
    self.store = store
    self.photo = photo
    runtime = environment.runtime
    list = List(store.list(), in: environment, name: name, onDraw: onDrawList) { photos in
      photo.show(photos.first.map(store.image(of:)))
    }
  }

  /// The name of the service.
  public var title: String { store.service.name }

  /// The page is about to be seen.
  public func viewWillAppear() {
    runtime.requireMain()
    list.viewWillAppear()
    // The list may have arrived while nobody looked.
    if photo.image == nil, let first = list.screen.list?.first { select(first) }
    photo.viewWillAppear()
  }

  /// The page is about to go.
  public func viewWillDisappear() {
    runtime.requireMain()
    list.viewWillDisappear()
    photo.viewWillDisappear()
  }

  /// Shows the picture of a photo of the list.
  public func select(_ chosen: Photo?) { photo.show(chosen.map(store.image(of:))) }

  /// Shows the photos of another endpoint, or with nil those of the service's own list.
  public func show(_ endpoint: PhotoEndpoint?) {
    runtime.requireMain()
    let photos = store.list(endpoint)
    photos.load()
    list.show(photos)
  }
}
