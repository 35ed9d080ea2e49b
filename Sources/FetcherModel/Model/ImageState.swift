/// What an ``IFImage`` has, at one moment.
public enum ImageState: Equatable, Sendable {
  /// Never read, or cancelled.
  case idle
  /// A fetch is under way.
  case fetching
  /// The picture is here, and stays.
  case loaded(Picture)
  /// The last fetch failed. The next read of ``IFImage/image`` tries again.
  case failed(FetchError)
}
