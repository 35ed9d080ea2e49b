import ScenarioEngine
import ScenarioFormat

/// The controls that a device draws around the views of each program.
struct ProgramFace {
  struct Button: Encodable, Equatable, Sendable {
    enum Role: String, Encodable { case back, tab, current, tool, input, dismiss }

    let title: String
    let steps: [JSONValue]
    var role = Role.tool
  }

  private let program: String
  private let isVisible: [String: Bool]

  init(program: String, _ screens: [ProgramScreen]) {
    self.program = program
    isVisible = Dictionary(screens.map { ($0.view, $0.isVisible) }) { first, _ in first }
  }

  private func step(_ word: String, _ values: [String: String] = [:]) -> JSONValue {
    .object(["at": "0ms", "do": .string(word)].merging(values.mapValues { .string($0) }) { $1 })
  }

  private func tap(_ control: String, _ view: String) -> JSONValue { step("tap", ["control": control, "view": view]) }

  func steps(of row: ProgramScreen.Row, in screen: ProgramScreen) -> [JSONValue] {
    let select = { (view: String) in step("select", ["image": row.id, "view": view]) }
    switch program {
    case "ios-concurrency": return screen.view == "users" ? [tap("user \(row.id)", "users")] : []
    case "slideshow": return [select("preview"), step("appear", ["view": "preview"])]
    case "photorama", "soogreyhounds": return [select("photos")]
    default:
      let isHidden = isVisible["detail"] != true && program != "image-fetcher"
      return [select("detail")] + (isHidden ? [step("appear", ["view": "detail"])] : [])
    }
  }

  func second(of row: ProgramScreen.Row) -> Button? {
    guard program == "slideshow" else { return nil }
    let title = "\(row.isMarked ? "Remove" : "Add") \(row.title) \(row.isMarked ? "from" : "to") the favorites"
    return Button(title: title, steps: [tap("favorite \(row.id)", "manage")])
  }

  func buttons(of screen: ProgramScreen) -> [Button] {
    guard screen.alert != nil else { return controls(of: screen.view) }
    let (title, control) = program == "ios-concurrency" ? ("Dismiss", "dismiss") : ("Try again", "reload")
    let button = Button(title: title, steps: [tap(control, screen.view)], role: .dismiss)
    return controls(of: screen.view) + [button]
  }

  private func controls(of view: String) -> [Button] {
    // A control whose name ends with a space takes an input.
    let tool = { (title: String, control: String) in
      Button(title: title, steps: [tap(control, view)], role: control.hasSuffix(" ") ? .input : .tool)
    }
    let back = { (title: String, step: JSONValue) in Button(title: title, steps: [step], role: .back) }
    let split = { (title: String, control: String) in Button(title: title, steps: [tap(control, "split")]) }
    switch (program, view) {
    case ("slideshow", _):
      let tools =
        view == "preview" ? [tool("Previous", "previous"), tool("Next", "next")] : [tool("Reload", "reload")]
      return tools
        + [("Slides", "manage"), ("Preview", "preview")].map {
          Button(title: $0.0, steps: [step("appear", ["view": $0.1])], role: $0.1 == view ? .current : .tab)
        }
    case ("photorama", _), ("soogreyhounds", _):
      return [
        tool("Reload", "reload"), tool("All photos", "list"), tool("Upload", "upload"), tool("Search", "search "),
      ]
    case ("ios-concurrency", "users"):
      return [
        tool("All posts", "all-posts"), tool("Comments", "comments"), tool("Reload", "reload"),
        tool("Open address", "address "),
      ]
    case ("ios-concurrency", _): return [back("Users", tap("back", view)), tool("Reload", "reload")]
    case ("image-fetcher", "list"):
      return [
        split("One page at a time", "collapse"), split("Side by side", "side-by-side"),
        split("Allow arbitrary loads", "allow-arbitrary-loads"),
      ]
    case ("image-fetcher", _):
      return [back("Favorites", step("deselect", ["view": "detail"])), split("Side by side", "side-by-side")]
    case (_, "detail"): return [back("Leave", step("disappear", ["view": "detail"]))]
    case (_, "list"):
      let back = Button(title: "Return to the picture", steps: [step("appear", ["view": "detail"])])
      return (isVisible["detail"] == false ? [back] : [])
        + [Button(title: "Memory warning", steps: [step("memory-warning")])]
    default: return []
    }
  }
}
