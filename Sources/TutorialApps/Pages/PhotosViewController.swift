import EventBus
public import FetcherModel
public import FetcherViews

/// A page for a photo service. It does not depend on a UI framework. It draws its store's list, and shows the picture
/// of the first photo.
///
/// The list and the picture have separate screens and errors, so one can fail without the other. When the page appears
/// again, it requests the missing content. A photo keeps its picture, so selecting it again sends no request.
@MainActor public final class PhotosViewController {
  /// The page that shows the list.
  public typealias List = FetchedListViewController<[Photo], PhotoListError>

  /// The page that lists the photos from the service.
  public let list: List
  /// The page that shows the picture of the selected photo.
  public let photo: ImageViewController
  private let store: PhotoStore
  private let runtime: any Runtime

  /// - Parameters:
  ///   - store: the store that provides the photos and their pictures.
  ///   - environment: the store's environment, whose bus reports changes to the pictures.
  ///   - name: the name of the subscriptions.
  ///   - onDrawList: a closure that is called whenever the list changes.
  ///   - onDrawPhoto: a closure that is called whenever the picture changes.
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

  /// Call this method when the page appears.
  public func viewWillAppear() {
    runtime.requireMain()
    list.viewWillAppear()
    // The list may have arrived while the page was hidden.
    if photo.image == nil, let first = list.screen.list?.first { select(first) }
    photo.viewWillAppear()
  }

  /// Call this method when the page disappears.
  public func viewWillDisappear() {
    runtime.requireMain()
    list.viewWillDisappear()
    photo.viewWillDisappear()
  }

  /// Shows the picture of a photo in the list.
  public func select(_ chosen: Photo?) {
    runtime.requireMain()
    photo.show(chosen.map(store.image(of:)))
  }

  /// Shows the photos from another endpoint, or the service's own list if `endpoint` is nil.
  public func show(_ endpoint: PhotoEndpoint?) {
    runtime.requireMain()
    let photos = store.list(endpoint)
    photos.load()
    list.show(photos)
  }
}
