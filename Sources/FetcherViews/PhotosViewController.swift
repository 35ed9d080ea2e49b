import EventBus
public import FetcherModel

/// The page of a photo service, without a screen: it asks its store for the list, and shows the picture of the first photo.
///
/// List and picture fail apart: each has its own screen with its own problem, and what is missing is asked for when the page
/// appears again. A photo keeps its picture, so that to choose it again asks for nothing. Every member is for the main scheduler
/// only.
public final class PhotosViewController: Sendable {
  /// The screen of the list.
  public typealias List = FetchedListViewController<Photo, PhotoListError>

  /// The photos of the service.
  public let list: List
  /// The picture of the chosen photo.
  public let photo: ImageViewController
  private let store: PhotoStore
  private let endpoint: Confined<PhotoEndpoint?>

  /// - Parameters:
  ///   - store: the page's one dependency: where photos and pictures come from.
  ///   - environment: whose bus announces the pictures; that of the store.
  ///   - name: names its subscriptions.
  ///   - onDrawList: called after each change of the list.
  ///   - onDrawPhoto: called after each change of the picture.
  public init(
    _ store: PhotoStore, in environment: FetchEnvironment, name: String = "photos",
    onDrawList: @escaping @Sendable (List.Screen) -> Void = { _ in },
    onDrawPhoto: @escaping @Sendable (ImageViewController.Screen) -> Void = { _ in }
  ) {
    let endpoint = Confined<PhotoEndpoint?>(environment.runtime.main, nil)
    let photo = ImageViewController(in: environment, name: name, onDraw: onDrawPhoto)
    self.store = store
    self.endpoint = endpoint
    self.photo = photo
    list = List(
      in: environment, fetch: { store.fetchPhotos(endpoint.withValue { $0 }, completion: $0) }, onDraw: onDrawList
    ) { photos in
      photo.show(photos.first.map(store.image(of:)))
    }
  }

  /// The name of the service.
  public var title: String { store.service.name }

  /// The page is about to be seen.
  public func viewWillAppear() {
    list.viewWillAppear()
    photo.viewWillAppear()
  }

  /// The page is about to go.
  public func viewWillDisappear() {
    list.viewWillDisappear()
    photo.viewWillDisappear()
  }

  /// Shows the picture of a photo of the list.
  public func select(_ chosen: Photo?) { photo.show(chosen.map(store.image(of:))) }

  /// Shows the photos of another endpoint, or with nil those of the service's own list.
  public func show(_ endpoint: PhotoEndpoint?) {
    self.endpoint.withValue { $0 = endpoint }
    list.reload()
  }
}
