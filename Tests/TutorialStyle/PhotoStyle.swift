import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// snippet
let apiKey = "0123456789abcdef"

func address(of method: String, at base: String) -> URL {
  var whole = URLComponents(string: base)!
  let parameters = ["method": method, "api_key": apiKey, "format": "json"]
  whole.queryItems = parameters.map { URLQueryItem(name: $0.key, value: $0.value) }
  return whole.url!
}
// end

struct HockeyPhoto {
  let id: String
  let dateTaken: Date
  let remoteURL: URL
}

final class HockeyPhotoStore {
  typealias PhotosResult = Result<[HockeyPhoto], any Error>
  private let session = URLSession(configuration: .default)
  private let parse: (Data) -> PhotosResult

  init(parse: @escaping (Data) -> PhotosResult) { self.parse = parse }

  // snippet
  func fetchLatestPhotos(at address: URL, completion: @escaping (PhotosResult) -> Void) {
    session.dataTask(with: address) { [parse] data, _, error in
      let result = data.map(parse) ?? .failure(error!)
      OperationQueue.main.addOperation { completion(result) }
    }
    .resume()
  }
  // end

  func fetchImage(for photo: HockeyPhoto, completion: @escaping (Result<UIImage, any Error>) -> Void) {}
}

private let dateFormatter = DateFormatter()

// snippet
func photo(fromJSON json: [String: Any]) -> HockeyPhoto? {
  guard let id = json["id"] as? String, let address = (json["url_h"] as? String).flatMap(URL.init(string:)),
    let taken = (json["datetaken"] as? String).flatMap(dateFormatter.date(from:))
  else { return nil }
  return HockeyPhoto(id: id, dateTaken: taken, remoteURL: address)
}
// end

final class HockeyPhotoPage: UIViewController {
  let imageView = UIImageView()
  let store: HockeyPhotoStore

  init(_ store: HockeyPhotoStore) { self.store = store }

  // snippet
  func updateImageView(for photo: HockeyPhoto) {
    store.fetchImage(for: photo) { [imageView] result in
      if let image = try? result.get() { imageView.image = image }
    }
  }
  // end
}

// snippet
func post(_ picture: Data, to address: URL) -> URLRequest {
  var request = URLRequest(url: address)
  request.httpMethod = "POST"
  request.httpBody = picture
  request.allHTTPHeaderFields = ["Accept": "text/json"]
  return request
}
// end
