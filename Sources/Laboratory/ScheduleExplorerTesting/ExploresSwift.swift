public import Testing

/// Whether this build can explore unmodified Swift code.
public enum ExploresSwift {
  #if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
    /// Whether `exploreSwift` works here. Where it is false, it throws `ExploringSwiftUnavailable`.
    public static let isAvailable = true
  #else
    /// Whether `exploreSwift` works here. Where it is false, it throws `ExploringSwiftUnavailable`.
    public static let isAvailable = false
  #endif
}

extension Trait where Self == ConditionTrait {
  /// The test explores unmodified Swift code, and is left out where that cannot be done.
  public static var exploresSwift: Self {
    .enabled(if: ExploresSwift.isAvailable, "needs Swift 6.3 on Linux and the trait SwiftExecutors")
  }
}
