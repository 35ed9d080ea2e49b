import Foundation

extension Scenario.Response {
  /// Where it sends the client, as the server writes it; nil where it is an answer itself.
  var redirect: String? {
    guard Self.redirects.contains(status) else { return nil }
    return headers.first { $0.name.lowercased() == "location" }?.value
  }

  /// The statuses with which Foundation goes where `Location` says.
  static let redirects: Set<Int> = [301, 302, 303, 305, 306, 307, 308]
}

extension Scenario {
  /// The paths to which the origin redirects.
  var redirectTargets: Set<String> {
    let routes = Dictionary(grouping: allRoutes, by: \.path)
    var paths = Set(images.map(\.path) + routes.keys)
    var targets: Set<String> = []
    // A relative address in the default leads from each of its targets to another one.
    for _ in 0..<SimulatedLoader.mostRedirects {
      targets = paths.reduce(into: targets) { targets, path in
        let answers = routes[path]?.flatMap(\.responses) ?? [origin.fallback].compactMap(\.self)
        let url = URL(string: "http://127.0.0.1" + path)
        targets.formUnion(
          answers.compactMap(\.redirect).compactMap { URL(string: $0, relativeTo: url)?.path(percentEncoded: false) })
      }
      guard !targets.isSubset(of: paths) else { break }
      paths.formUnion(targets)
    }
    return targets
  }
}
