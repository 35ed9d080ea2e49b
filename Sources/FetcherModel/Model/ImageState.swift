/// The state of an ``IFImage``.
public enum ImageState: Equatable, Sendable {
  /// The image has not been loaded, its fetch was cancelled, or its picture was unloaded.
  case idle
  /// A fetch is in flight. `previous` is the picture that a reload may replace, or nil.
  case fetching(previous: Picture?)
  /// The picture has arrived. Only a reload and ``IFImage/unload()`` leave this state.
  case loaded(Picture)
  /// The last fetch failed. `previous` is the picture that a reload did not replace, which is still shown. If it is
  /// nil, the next load starts a new fetch; otherwise, only a reload does.
  case failed(FetchError, previous: Picture? = nil)

  /// The picture to show: the loaded one, or the one that a reload may replace or failed to replace.
  public var picture: Picture? {
    switch self {
    case .loaded(let picture): picture
    case .fetching(let previous), .failed(_, let previous): previous
    case .idle: nil
    }
  }

  /// The error of the last fetch or reload, or nil if it did not fail.
  public var error: FetchError? { if case .failed(let error, _) = self { error } else { nil } }

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
