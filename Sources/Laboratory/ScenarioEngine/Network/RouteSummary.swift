import PlainText
import ScenarioFormat

extension Scenario.Route {
  /// A short description of the route's responses.
  package var summary: String {
    let answers = responses.map(\.summary).joined(separator: "; then ")
    guard responses.count > 1 || then == .error else { return answers }
    switch then {
    case .repeatLast: return answers + " again and again"
    case .cycle: return answers + "; then from the beginning"
    case .error: return answers + "; then 500"
    }
  }
}

extension Scenario.Response {
  /// A short description of the response: its status, body, fault and duration.
  package var summary: String {
    var parts: [String] = []
    if fault != .refuse { parts.append("\(status)") }
    switch body {
    case .ofPath: break
    case .image(let id): parts.append(quoted(id))
    case .bytes(let count): parts.append("\(count) bytes")
    case .file(let name): parts.append(quoted(name))
    case .json: parts.append("JSON")
    }
    if let fault {
      let offset = faultOffset.map { " after \($0) bytes" } ?? ""
      let chance = probability < 1 ? " (\((probability * 100).fixed(0)) %)" : ""
      parts.append(fault.rawValue + offset + chance)
    }
    if latency != .fixed(.zero) { parts.append("in \(latency.summary)") }
    return parts.joined(separator: ", ")
  }
}
