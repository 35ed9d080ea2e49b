import CommandLineTool
import FetcherModel
import Foundation
import ScenarioEngine
import ScenarioFormat
import TutorialApps

/// A system that runs against the user's server, with the settings from a property list.
struct OwnData {
  static let settingsFile = CommandOption(
    "--settings", "FILE", "a property list with your server's addresses; by default fetcher's list for this system")
  static let base = CommandOption("--base", "URL", "your server, instead of the property list's BaseUrl")
  static let apiKeyFile = CommandOption(
    "--api-key-file", "FILE",
    "a file with your photo service's API key, read if no environment variable contains the key")
  static let options = [settingsFile, base, apiKeyFile]

  let example: SystemExample
  let settings: ServiceConfiguration
  private let key: APIKey?

  /// Returns nil if no flag requests the user's server.
  ///
  /// - Throws: a failure that names the missing or invalid setting.
  init?(_ example: SystemExample, _ arguments: ParsedArguments, _ context: CommandContext) throws {
    guard Self.options.contains(where: arguments.has) else { return nil }
    self.example = example
    let file = try arguments[Self.settingsFile].map { URL(filePath: $0) } ?? example.settings(in: context.resources)
    do throws(ServiceError) {
      var settings = try ServiceConfiguration(contentsOf: file)
      if let base = arguments[Self.base] { settings = settings.setting("BaseUrl", to: base) }
      try example.system.validate(settings)
      self.settings = settings
    } catch .invalidURL {
      throw CommandFailure.cannotStart("\(file.path): an address is not a URL; write it in full, or begin it with /")
    } catch {
      throw CommandFailure.cannotStart("\(file.path): \(error)")
    }
    let keyFile = arguments[Self.apiKeyFile]
    key = try example.keyVariable.map { variable in
      do {
        return try APIKey(variable: variable, file: keyFile.map { URL(filePath: $0) })
      } catch {
        let location = keyFile.map { "\($0) cannot be read or has no key" } ?? "--api-key-file was not given"
        throw CommandFailure.cannotStart(
          "\(example.title) needs an API key, but the variable \(variable) is not set and \(location); provide one of the two"
        )
      }
    }
  }

  /// The prefixes of the names of controls that depend on the example's data, or that do more than read data.
  private static let ofExample = ["upload", "allow-arbitrary-loads", "search ", "address "]

  /// Returns a scenario with only those user steps of the example that do not depend on its data. None of these steps
  /// sends data to the server.
  func steps(of scenario: Scenario) -> Scenario {
    var own = scenario
    let names = (try? settings.table("Favorites").compactMap { $0["imageName"] }) ?? []
    let chosen = scenario.images.map(\.id)
    (own.images, own.expectations, own.origin.routes) = ([], [], [])
    own.steps = scenario.steps.compactMap { step in
      var step = step
      switch step.action {
      case .select(let image, let view):
        guard let row = chosen.firstIndex(of: image), names.indices.contains(row) else { return nil }
        step.action = .select(image: names[row], view: view)
      case .tap(let control, _) where Self.ofExample.contains { control.hasPrefix($0) }: return nil
      case .note: return nil
      default: break
      }
      return step
    }
    return own
  }

  /// Returns the failures, in the words that the pages show.
  func failures(in record: RunRecord) -> [String] {
    record.events.compactMap { event in
      switch event.kind {
      case .pageShow where event[.error] != nil: event[.text]
      case .fetchFailed: "the picture “\(event[.image] ?? "")”: \(event[.error] ?? "")"
      default: nil
      }
    }
  }

  func run(_ scenario: Scenario, _ strategy: String) async -> RunRecord {
    await ScenarioRunner(
      scenario: steps(of: scenario), against: example.system.program(settings: settings, key: key),
      timeout: .seconds(90), showsBus: true
    ).run(strategy)
  }
}
