/// Why the network failed: a `URLError` code, or a Cocoa code from a blocking read.
public struct NetworkError: Error, Equatable, Sendable {
  /// The code, as in `URLError.Code` or `CocoaError.Code`.
  public var code: Int

  /// A failure with this code.
  public init(code: Int) { self.code = code }

  /// The same failure in the words of the model.
  public var asFetchError: FetchError {
    switch code {
    case -999: .cancelled
    case -1001: .timedOut
    default: .transport(code)
    }
  }
}
