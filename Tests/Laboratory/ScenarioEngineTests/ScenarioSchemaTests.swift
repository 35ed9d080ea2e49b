import Foundation
import PlainText
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

@Suite struct ScenarioSchemaTests {
  @Test("The schema in the repository equals the schema that the program generates")
  func shippedSchema() throws {
    let path = packageRoot.appending(path: "scenarios/scenario.schema.json")
    let shipped = try String(contentsOf: path, encoding: .utf8)
    #expect(
      shipped == (try JSONText.of(ScenarioSchema.json(.shipped))) + "\n", "run: fetcher check --schema > \(path.path)")
  }

  @Test("Every reference in the schema names an existing definition")
  func references() {
    guard case .object(let schema) = ScenarioSchema.json(.shipped), case .object(let definitions)? = schema["$defs"]
    else {
      Issue.record("the schema has no definitions")
      return
    }
    let references = Self.references(in: ScenarioSchema.json(.shipped))
    #expect(!references.isEmpty)
    for reference in references {
      #expect(definitions.keys.contains { "#/$defs/\($0)" == reference }, "\(reference)")
    }
  }

  @Test("The schema contains every event and every fault")
  func propertiesCoverTheFormat() throws {
    let text = try JSONText.of(ScenarioSchema.json(.shipped))
    for word in TraceKind.allCases.map(\.rawValue) + Scenario.Response.Fault.allCases.map(\.rawValue) {
      #expect(text.contains("\"\(word)\""), "\(word)")
    }
  }

  private static func references(in value: JSONValue) -> [String] {
    switch value {
    case .list(let items): items.flatMap(references)
    case .object(let members):
      members.flatMap { key, value -> [String] in
        if key == "$ref", case .string(let target) = value { return [target] }
        return references(in: value)
      }
    default: []
    }
  }
}
