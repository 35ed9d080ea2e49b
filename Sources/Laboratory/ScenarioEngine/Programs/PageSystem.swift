import ScenarioFormat
package import TutorialApps

/// One of the five systems, with its name, its settings in a scenario, and its pages.
package struct PageSystem: Sendable {
  /// The system's name in scenarios and on the command line.
  package let name: String
  /// The controls that a `tap` step can name.
  package let controls: [String]
  /// The steps that the system's pages support, keyed by name. Each value lists the views that the step can name.
  let steps: [String: [String]]
  /// Whether the system's service requires a key.
  package let needsKey: Bool
  private let settings: [String: String]
  private let make: @MainActor @Sendable (PageStage) throws(ServiceError) -> any SystemPages

  /// All systems.
  package static let all = [imageFetcher, slideshow, photorama, sooGreyhounds, concurrency]

  private static let imageFetcher = PageSystem(
    name: "image-fetcher", controls: SplitPages.controls, steps: SplitPages.steps, needsKey: false, settings: [:]
  ) { (stage) throws(ServiceError) in try SplitPages(stage) }

  private static let slideshow = PageSystem(
    name: "slideshow", controls: SlidePages.controls, steps: SlidePages.steps, needsKey: false,
    settings: ["SlideWebServiceUrl": "/holidayslideshow.json", "ImageBaseUrl": "/"]
  ) { (stage) throws(ServiceError) in try SlidePages(stage) }

  private static let photorama = photos("photorama", "Photorama", "flickr.photos", .recent)
  // SooGreyhounds is Photorama's code with another configuration.
  private static let sooGreyhounds = photos("soogreyhounds", "SooGreyhounds", "soogreyhounds.photos", .latest)

  private static func photos(
    _ name: String, _ title: String, _ namespace: String, _ list: PhotoEndpoint
  ) -> PageSystem {
    PageSystem(
      name: name, controls: PhotoPages.controls, steps: PhotoPages.steps, needsKey: true,
      settings: [
        "PhotoServiceName": title, "PhotoServiceUrl": "/services/rest", "PhotoNamespace": namespace,
        "PhotoListMethod": list.method, "PhotoUploadUrl": "/upload",
      ]
    ) { (stage) throws(ServiceError) in try PhotoPages(stage) }
  }

  private static let concurrency = PageSystem(
    name: "ios-concurrency", controls: UserPages.controls, steps: UserPages.steps, needsKey: false,
    settings: ["UsersUrl": "/users", "PostsUrl": "/posts", "CommentsUrl": "/comments"]
  ) { (stage) throws(ServiceError) in try UserPages(stage) }

  /// Validates custom settings. Call this method before you pass them to ``program(settings:key:)``.
  ///
  /// - Throws: `missingConfiguration` or `invalidURL`, for the first invalid setting.
  package func validate(_ settings: ServiceConfiguration) throws(ServiceError) {
    for (key, value) in self.settings.sorted(by: { $0.key < $1.key }) where key != PhotoPages.optionalSetting {
      if value.utf8.first == UInt8(ascii: "/") { _ = try settings.url(key) } else { _ = try settings.text(key) }
    }
    if self.settings.isEmpty { _ = try SplitPages.favorites(of: settings) }
  }

  /// Returns a factory for the program.
  ///
  /// - Parameters:
  ///   - settings: the settings, or nil to use those of a scenario, whose origin serves all requests.
  ///   - key: the API key, or nil for a key that a scenario's origin accepts.
  ///   - deadline: the deadline of each request, or nil for the scenario's.
  package func program(
    settings: ServiceConfiguration? = nil, key: APIKey? = nil, deadline: Duration? = nil
  ) -> MakeProgram {
    { [self] context in
      do throws(ServiceError) {
        let own = ServiceConfiguration(self.settings).setting("BaseUrl", to: context.base)
        let scenarioKey = try APIKey(variable: "SCENARIO", environment: ["SCENARIO": "of-the-scenario"])
        let stage = PageStage(
          context, settings: settings, orOwn: own, key: key ?? scenarioKey, deadline: deadline)
        return try SystemProgram(stage, make)
      } catch {
        fatalError("Internal inconsistency: \(name) with settings that were not validated: \(error)")
      }
    }
  }
}
