/// The responses of one path, in the order in which requests get them.
public struct OriginRoute: Sendable {
  /// What comes after the last response.
  public enum Continuation: String, CaseIterable, Sendable {
    /// The last response again.
    case repeatLast = "repeat-last"
    /// The first response again.
    case cycle
    /// A 500, which reports one request too many.
    case error
  }

  /// The path, percent-decoded. With a `?` it is compared with the whole target of a request as it was sent; without,
  /// with the decoded path, whatever the query. Bytes are compared: see ``OriginPath``.
  public var path: String
  /// The responses; none at all answers 500.
  public var responses: [OriginResponse]
  /// What comes after the last of them.
  public var then: Continuation
  /// What computes the responses instead of the list.
  private var compute: Compute?

  /// A route with several responses.
  public init(path: String, responses: [OriginResponse], then: Continuation = .repeatLast) {
    self.path = path
    self.responses = responses
    self.then = then
  }

  /// A route that always answers the same.
  public init(path: String, _ response: OriginResponse) { self.init(path: path, responses: [response]) }

  /// The response for the request of a number, counted from zero, whose header fields can be asked for.
  package typealias Compute =
    @Sendable (_ number: Int, _ headers: () -> [(name: String, value: String)]) -> OriginResponse

  /// A route that computes its responses.
  ///
  /// - Parameter response: It is called on a thread of the server, once for each request, for several at once.
  package init(path: String, response: @escaping Compute) {
    self.init(path: path, responses: [])
    compute = response
  }

  /// The response number `position`, counted from zero.
  func response(at position: Int, to request: RequestHead) -> OriginResponse {
    if let compute { return compute(position) { request.fields } }
    if position < responses.count { return responses[position] }
    guard let last = responses.last else { return .plain(500) }
    switch then {
    case .repeatLast: return last
    case .cycle: return responses[position % responses.count]
    case .error: return .plain(500)
    }
  }
}
