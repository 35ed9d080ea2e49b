import CommandLineTool
import FetcherModel
import Foundation
import ScenarioEngine
import ScenarioFormat

/// A system that `fetcher system` offers: its program, example scenario and settings.
struct SystemExample: Sendable {
  let system: PageSystem
  /// The name that the system's authors use.
  let title: String
  /// A one-line summary.
  let summary: String
  /// The environment variable that contains the API key, or nil if the service needs no key.
  var keyVariable: String?

  /// The name to use on the command line.
  var name: String { system.name }

  /// All systems, in display order.
  static let all = PageSystem.all.map { system in
    switch system.name {
    case "image-fetcher":
      SystemExample(
        system: system, title: "ImageFetcher",
        summary: "a list of favorites; selecting one fetches and shows its picture")
    case "slideshow":
      SystemExample(
        system: system, title: "SlideShow",
        summary: "slides from a web service; pictures are fetched on demand and cached")
    case "photorama":
      SystemExample(
        system: system, title: "Photorama", summary: "recent photos from a web service, and an upload",
        keyVariable: "PHOTORAMA_API_KEY")
    case "soogreyhounds":
      SystemExample(
        system: system, title: "SooGreyhounds", summary: "the page from Photorama, configured for another service",
        keyVariable: "SOOGREYHOUNDS_API_KEY")
    default:
      SystemExample(
        system: system, title: "iOS Concurrency", summary: "users and posts from one generic service; errors as alerts")
    }
  }

  static func named(_ name: String) throws(UsageError) -> SystemExample {
    guard let system = all.first(where: { $0.name == name }) else {
      throw .unknown("system", name, among: all.map(\.name))
    }
    return system
  }

  /// Returns the example scenario.
  func scenario(in resources: ResourceLocator) throws(CommandFailure) -> ScenarioFile {
    try ScenarioPaths.read(try resources.folder("pictures").appending(path: "system-\(name).json").path)
  }

  /// Returns the location of the example's property list.
  func settings(in resources: ResourceLocator) throws(CommandFailure) -> URL {
    try resources.folder("settings").appending(path: "\(name).plist")
  }
}
