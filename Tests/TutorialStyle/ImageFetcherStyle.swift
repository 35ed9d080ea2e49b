import Foundation

final class RemoteImage {
  let address: URL
  fileprivate(set) var isFetching = false
  fileprivate(set) var bytes: Data?

  init(_ address: URL) { self.address = address }
}

// snippet
extension RemoteImage {
  var image: UIImage? {
    if let bytes { return UIImage(data: bytes) }
    fetchAsync()
    return UIImage(named: "photoalbum")
  }
}
// end

// snippet
extension RemoteImage {
  func fetchAsync() {
    guard !isFetching else { return }
    isFetching = true
    DispatchQueue.global().async { [weak self, address] in
      let result = Result { try Data(contentsOf: address) }
      DispatchQueue.main.async { [weak self] in self?.finish(result) }
    }
  }
}
// end

// snippet
extension RemoteImage {
  func finish(_ result: Result<Data, any Error>) {
    switch result {
    case .success(let bytes):
      self.bytes = bytes
      NotificationCenter.default.post(name: .imageFetched, object: self)
    case .failure(let error):
      print("cannot fetch \(address): \(error)")
    }
    isFetching = false
  }
}
// end

extension Notification.Name {
  static let imageFetched = Notification.Name("ImageFetched")
}

final class RemoteImagePage: UIViewController {
  let remote: RemoteImage
  let imageView = UIImageView()
  private var observer: (any NSObjectProtocol)?

  init(_ remote: RemoteImage) { self.remote = remote }

  // snippet
  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    imageView.image = remote.image
    observer = NotificationCenter.default.addObserver(forName: .imageFetched, object: remote, queue: nil) {
      [unowned self] _ in imageView.image = remote.image
    }
  }

  override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    if let observer { NotificationCenter.default.removeObserver(observer) }
  }
  // end
}

private final class Found {
  var value: (Bool, Bool)?
}

extension StyleRuns {
  /// Returns the state of the image that a handler of the notification sees.
  package static func inTheHandler() -> (hasBytes: Bool, isFetching: Bool)? {
    let image = RemoteImage(URL(filePath: "/"))
    image.isFetching = true
    let found = Found()
    let observer = NotificationCenter.default.addObserver(forName: .imageFetched, object: image, queue: nil) { _ in
      found.value = (image.bytes != nil, image.isFetching)
    }
    image.finish(.success(Data([1])))
    NotificationCenter.default.removeObserver(observer)
    return found.value
  }
}
