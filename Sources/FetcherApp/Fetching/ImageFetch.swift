import FetcherModel

/// One fetch from its start to its end, for who has no view.
struct ImageFetch: Sendable {
  let environment: FetchEnvironment

  /// Reads the image and returns when its fetch has ended.
  func result(of image: IFImage) async -> Result<Picture, FetchError> {
    await withCheckedContinuation { continuation in image.load { continuation.resume(returning: $0) } }
  }
}
