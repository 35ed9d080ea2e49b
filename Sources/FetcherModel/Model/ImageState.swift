/// The state of an ``IFImage``.
public enum ImageState: Equatable, Sendable {
  /// The image has not been loaded, its fetch was cancelled, or its picture was unloaded.
  case idle
  /// A fetch is in flight. `previous` is the picture that a reload may replace, or nil.
  case fetching(previous: Picture?)
  /// The picture has arrived. Only a reload and ``IFImage/unload()`` leave this state.
  case loaded(Picture)
  /// The last fetch failed. The next load starts a new fetch.
  case failed(FetchError)

  /// The loaded picture, or the one that is being reloaded.
  public var picture: Picture? {
    switch self {
    case .loaded(let picture): picture
    case .fetching(let previous): previous
    case .idle, .failed: nil
    }
  }

  /// Whether a fetch is in flight.
  public var isFetching: Bool { if case .fetching = self { true } else { false } }

  /// Whether both states have the same case. Each transition of an image changes the case, so this comparison finds it
  /// without a comparison of pictures.
  func isSameCase(as other: ImageState) -> Bool {
    switch (self, other) {
    case (.idle, .idle), (.fetching, .fetching), (.loaded, .loaded), (.failed, .failed): true
    default: false
    }
  }
}
