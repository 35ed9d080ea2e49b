/// One of the five systems, shown working.
struct SystemExample: Sendable {
  /// On the command line.
  let name: String
  /// What its authors call it.
  let title: String
  /// What it does, in one line.
  let summary: String
  /// Plays the example to its end.
  let run: @Sendable (SystemStage) async throws -> Void

  /// All of them, in the order of the list.
  static let all = [
    ImageFetcherSystem.example, SlideshowSystem.example, PhotoSystem.photorama, PhotoSystem.sooGreyhounds,
    ConcurrencySystem.example,
  ]

  /// The system of that name.
  static func named(_ name: String) throws(UsageError) -> SystemExample {
    guard let system = all.first(where: { $0.name == name }) else {
      throw .unknown("system", name, among: all.map(\.name))
    }
    return system
  }
}
