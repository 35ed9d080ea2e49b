import EventBus
import FetcherModel
import Foundation

/// Whose request it is, also where several images have one address: that of the image whose fetch began first among those
/// under way. Any thread.
final class RequestOwners: Sendable {
  private struct Owner {
    let id: String
    weak var image: IFImage?
  }

  private struct State {
    /// In the order in which their fetches began.
    var owners: [URL: [Owner]] = [:]
    var declared: [URL: String] = [:]
  }

  private let state = Locked(State())

  /// Requests for the address are those of the image, where nobody says when it is read.
  func declare(_ id: String, at address: String) {
    guard let url = URL(string: address) else { return }
    state.withLock { $0.declared[url] = id }
  }

  /// The image is about to be read: if it is not being fetched, its fetch may begin now.
  func willRead(_ image: IFImage) {
    guard !image.isFetching, let url = URL(string: image.url) else { return }
    let id = image.name
    state.withLock { state in
      state.owners[url, default: []].removeAll { $0.id == id }
      state.owners[url, default: []].append(Owner(id: id, image: image))
    }
  }

  /// The image whose request for the address begins now. If none is being fetched any more, the last one that was.
  func owner(of url: URL) -> String? {
    // Handed out, so that an image is asked, and perhaps released, outside the lock.
    let (owners, declared) = state.withLock { state in
      ((state.owners[url] ?? []).map { (id: $0.id, image: $0.image) }, state.declared[url])
    }
    return (owners.first { $0.image?.isFetching == true } ?? owners.last)?.id ?? declared
  }
}
