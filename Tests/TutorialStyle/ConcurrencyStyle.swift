import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

enum JSONError: Error {
  case invalidResponseStatus
  case dataTaskError
  case decodingError
}

// snippet
struct Person: Codable, Identifiable {
  let id: Int
  let name: String
}
// end

// snippet
func decoded<T: Decodable>(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) -> Result<T, JSONError> {
  let status = (response as? HTTPURLResponse)?.statusCode
  if status != 200 { return .failure(.invalidResponseStatus) }
  guard error == nil, let data else { return .failure(.dataTaskError) }
  return Result { try JSONDecoder().decode(T.self, from: data) }.mapError { _ in .decodingError }
}
// end

extension StyleRuns {
  /// Returns the error that the tutorial's code reports if the network fails.
  package static func errorWithoutAnAnswer() -> String {
    let result: Result<Person, JSONError> = decoded(nil, nil, URLError(.cannotConnectToHost))
    guard case .failure(let error) = result else { return "none" }
    return "\(error)"
  }
}
