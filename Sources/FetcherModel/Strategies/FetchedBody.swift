public import Foundation

/// What came back, whole.
public struct FetchedBody: Sendable, Equatable {
  /// The bytes, never more than the size limit.
  public var bytes: Data
  /// The HTTP status, where the strategy can see it.
  public var status: Int?
  /// What the server calls the bytes. The bytes decide.
  public var contentType: String?

  /// A body with these bytes.
  public init(bytes: Data, status: Int? = nil, contentType: String? = nil) {
    self.bytes = bytes
    self.status = status
    self.contentType = contentType
  }
}
