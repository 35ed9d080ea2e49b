/// What a strategy can and cannot do.
public struct StrategyCapabilities: Sendable, Equatable {
  /// Whether a cancel stops the work. Otherwise the fetch still ends at once with `cancelled`, and its work goes on, unseen.
  public var canCancel: Bool
  /// Whether the HTTP status is known.
  public var seesStatus: Bool
  /// Whether progress is reported, and the size limit kept, while the body streams.
  public var reportsProgress: Bool
  /// Whether redirects can be validated against the policy.
  public var seesRedirects: Bool
  /// Whether https can be loaded; otherwise it ends with ``FetchError/unsupportedScheme(strategy:)``.
  public var loadsHTTPS: Bool
  /// One sentence about how it works.
  public var note: String

  /// Declares what a strategy can do: by default it only loads https.
  public init(
    canCancel: Bool = false, seesStatus: Bool = false, reportsProgress: Bool = false, seesRedirects: Bool = false,
    loadsHTTPS: Bool = true, note: String
  ) {
    self.canCancel = canCancel
    self.seesStatus = seesStatus
    self.reportsProgress = reportsProgress
    self.seesRedirects = seesRedirects
    self.loadsHTTPS = loadsHTTPS
    self.note = note
  }

  /// Everything, with or without https.
  static func all(loadsHTTPS: Bool = true, _ note: String) -> StrategyCapabilities {
    StrategyCapabilities(
      canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true, loadsHTTPS: loadsHTTPS, note: note)
  }
}
