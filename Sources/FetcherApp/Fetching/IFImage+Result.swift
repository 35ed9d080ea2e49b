import FetcherModel

extension IFImage {
  /// How its fetch has ended.
  func result() async -> Result<Picture, FetchError> {
    do { return .success(try await load()) } catch { return .failure(error) }
  }
}
