import Foundation

/// Reads a scenario file, and says what is wrong with it and where. The first problem ends the reading.
struct ScenarioReader {
  private static let keys = [
    "scenario", "name", "title", "description", "lesson", "seed", "clock", "timing", "pool", "strategy", "strategies",
    "variant", "variants", "clocks", "images", "origin", "steps", "expect", "explore",
  ]

  /// Reads the file at `path`.
  ///
  /// - Throws: a failure that names the file and the reason: with code 4 if the file cannot be read, with code 3 if what
  ///   it says is invalid.
  static func read(_ path: String) throws(CommandFailure) -> Scenario {
    let file = URL(filePath: path)
    guard let data = try? Data(contentsOf: file) else { throw .cannotStart("\(path): the file cannot be read") }
    do throws(ScenarioError) {
      guard data.count <= 1 << 20 else { throw ScenarioError(path: "", reason: "the file is larger than 1 MiB") }
      let scenario = try ScenarioReader().scenario(data)
      let expected = file.deletingPathExtension().lastPathComponent
      guard scenario.name == expected else {
        throw ScenarioError(path: "name", reason: "\"\(scenario.name)\" must be the file's name, \"\(expected)\"")
      }
      return scenario
    } catch {
      throw CommandFailure(code: .invalidScenario, message: "\(path): \(error)")
    }
  }

  /// Reads the text of a scenario.
  func scenario(_ data: Data) throws(ScenarioError) -> Scenario {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: data) else {
      throw ScenarioError(path: "", reason: "no valid JSON; check its brackets, commas and quotes")
    }
    let root = ScenarioNode(value: value, path: "")
    let members = try root.object(Self.keys)
    _ = try members.required("scenario", of: root).integer(1...1)
    let images = try members["images"]?.list() ?? []
    let known = try images.map { (node) throws(ScenarioError) in try image(node) }
    let ids = known.map(\.id)
    if let twice = ids.indices.first(where: { ids[..<$0].contains(ids[$0]) }) {
      throw images[twice].wrong("there is an image \"\(ids[twice])\" already")
    }
    let origin = try members["origin"]?.object(["default", "routes"]) ?? [:]
    let routes = try (origin["routes"]?.list() ?? []).map { (node) throws(ScenarioError) in try route(node, ids) }
    let steps = try StepReader(images: ids).steps(members.required("steps", of: root))
    let reader = ExpectationReader(images: ids)
    return Scenario(
      name: try members.required("name", of: root).string(),
      title: try members["title"]?.string() ?? "", strategies: try strategies(members), images: known,
      fallback: try origin["default"].map { (node) throws(ScenarioError) in try response(node, ids) },
      routes: routes, steps: steps,
      checks: try (members["expect"]?.list() ?? []).map { (node) throws(ScenarioError) in
        try reader.check(node, views: StepReader.views(steps))
      })
  }

  private func strategies(_ members: [String: ScenarioNode]) throws(ScenarioError) -> [String] {
    if let one = members["strategy"] { return [try one.word("strategy", StrategyNames.all)] }
    return try (members["strategies"]?.list() ?? []).map { (node) throws(ScenarioError) in
      try node.word("strategy", StrategyNames.all)
    }
  }

  private func image(_ node: ScenarioNode) throws(ScenarioError) -> Scenario.Image {
    let members = try node.object(["id", "path", "size"])
    let path = try members.required("path", of: node)
    guard try path.string().hasPrefix("/") else { throw path.wrong("must begin with \"/\"") }
    var image = Scenario.Image(id: try members.required("id", of: node).string(), path: try path.string())
    if let size = members["size"] {
      let sides = try size.string().split(separator: "x").compactMap { Int($0) }
      guard sides.count == 2, sides.allSatisfy({ (1...4096).contains($0) }) else {
        throw size.wrong("must be a size such as \"64x64\", at most 4096 on each side")
      }
      (image.width, image.height) = (sides[0], sides[1])
    }
    return image
  }

  private func route(_ node: ScenarioNode, _ images: [String]) throws(ScenarioError) -> Scenario.Route {
    let members = try node.object(["path", "responses", "then"])
    let list = try members.required("responses", of: node)
    let responses = try list.list().map { (node) throws(ScenarioError) in try response(node, images) }
    guard !responses.isEmpty else { throw list.wrong("needs at least one response") }
    return Scenario.Route(
      path: try members.required("path", of: node).string(), responses: responses,
      then: try members["then"]?.word("continuation", ["repeat-last", "cycle", "error"]) ?? "repeat-last")
  }

  private func response(_ node: ScenarioNode, _ images: [String]) throws(ScenarioError) -> Scenario.Response {
    let members = try node.object(["status", "latency", "body"])
    var response = Scenario.Response()
    response.status = try members["status"]?.integer(200...599) ?? 200
    response.latency = try members["latency"]?.duration() ?? .zero
    if let body = members["body"] {
      if case .string = body.value {
        response.body = .image(try body.word("image", images))
      } else {
        let bytes = try body.object(["bytes"]).required("bytes", of: body)
        response.body = .bytes(try bytes.integer(0...(64 << 20)))
      }
    }
    return response
  }
}
