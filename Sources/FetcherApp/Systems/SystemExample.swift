import FetcherModel
import Foundation
import ScenarioEngine
import ScenarioFormat

/// One of the five systems, as the command line shows it: its program, and the scenario and the settings that come with it.
struct SystemExample: Sendable {
  let system: PageSystem
  /// What its authors call it.
  let title: String
  /// What it does, in one line.
  let summary: String
  /// The environment variable with the key of its service; nil where that needs none.
  var keyVariable: String?

  /// On the command line.
  var name: String { system.name }

  /// All of them, in the order of the list.
  static let all = PageSystem.all.map { system in
    switch system.name {
    case "image-fetcher":
      SystemExample(
        system: system, title: "ImageFetcher", summary: "a list of favourites; choosing one fetches and shows it")
    case "slideshow":
      SystemExample(
        system: system, title: "SlideShow", summary: "slides from a web service, their pictures on demand and cached")
    case "photorama":
      SystemExample(
        system: system, title: "Photorama", summary: "recent photos of a web service, and an upload",
        keyVariable: "PHOTORAMA_API_KEY")
    case "soogreyhounds":
      SystemExample(
        system: system, title: "SooGreyhounds", summary: "the same page with another configuration",
        keyVariable: "SOOGREYHOUNDS_API_KEY")
    default:
      SystemExample(
        system: system, title: "iOS Concurrency", summary: "users and posts by one generic service; errors as alerts")
    }
  }

  static func named(_ name: String) throws(UsageError) -> SystemExample {
    guard let system = all.first(where: { $0.name == name }) else {
      throw .unknown("system", name, among: all.map(\.name))
    }
    return system
  }

  /// The scenario that shows it at work.
  func scenario(in resources: ResourceLocator) throws(CommandFailure) -> ScenarioFile {
    try ScenarioPaths.read(try resources.folder("pictures").appending(path: "system-\(name).json").path)
  }

  /// The property list that comes with it.
  func settings(in resources: ResourceLocator) throws(CommandFailure) -> URL {
    try resources.folder("settings").appending(path: "\(name).plist")
  }
}
