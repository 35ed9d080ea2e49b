import FetcherModel
import ScenarioEngine
import ScenarioFormat

/// The screens of a program, with the steps that a tap on each element performs. The page knows no program: it draws
/// these elements, and sends their steps.
struct ScreensMessage: Encodable, Equatable, Sendable {
  struct Row: Encodable, Equatable, Sendable {
    let title: String
    let detail: String?
    let state: String?
    /// The name of the picture, or nil.
    let picture: String?
    let isSelected: Bool
    let isMarked: Bool
    /// The steps of a tap.
    let steps: [JSONValue]
    /// The steps of the row's second control, such as a star, or nil.
    let second: Button?
  }

  struct Button: Encodable, Equatable, Sendable {
    enum Role: String, Encodable { case back, tab, current, tool, input, dismiss }

    let title: String
    let steps: [JSONValue]
    var role = Role.tool
  }

  struct Screen: Encodable, Equatable, Sendable {
    let view: String
    let title: String
    let rows: [Row]
    let hasPicture: Bool
    /// The name of the picture, or nil if the screen shows the placeholder or nothing.
    let picture: String?
    let caption: String?
    let isPlaceholder: Bool
    let isLoading: Bool
    let problem: String?
    let alert: String?
    let message: String?
    var buttons: [Button]
  }

  let screens: [Screen]
  let isIdle: Bool

  init(_ screens: [ProgramScreen], of program: LiveProgram, isIdle: Bool, _ pictures: PictureShelf) {
    self.isIdle = isIdle
    let face = ProgramFace(program: program.name, screens)
    self.screens = screens.filter(\.isVisible).map { screen in
      let picture = screen.picture.flatMap { $0.isPlaceholder ? nil : pictures.name(of: $0) }
      return Screen(
        view: screen.view, title: face.title(of: screen),
        rows: screen.rows.map { row in
          Row(
            title: row.title, detail: row.detail, state: row.state?.rawValue,
            picture: row.picture.map(pictures.name), isSelected: row.isSelected, isMarked: row.isMarked,
            steps: face.steps(of: row, in: screen), second: face.second(of: row))
        },
        hasPicture: screen.hasPicture, picture: picture, caption: screen.rows.isEmpty ? screen.title : nil,
        isPlaceholder: screen.picture?.isPlaceholder == true, isLoading: screen.isLoading, problem: screen.problem,
        alert: screen.alert, message: screen.message, buttons: face.buttons(of: screen))
    }
  }
}

/// The controls that a device draws around the views of each program.
struct ProgramFace {
  private typealias Button = ScreensMessage.Button

  private let program: String
  private let isVisible: [String: Bool]

  init(program: String, _ screens: [ProgramScreen]) {
    self.program = program
    isVisible = Dictionary(screens.map { ($0.view, $0.isVisible) }) { first, _ in first }
  }

  func title(of screen: ProgramScreen) -> String {
    screen.rows.isEmpty && screen.hasPicture ? screen.view : screen.title ?? screen.view
  }

  private func step(_ word: String, _ values: [String: String]) -> JSONValue {
    .object(["at": "0ms", "do": .string(word)].merging(values.mapValues { .string($0) }) { $1 })
  }

  private func tap(_ control: String, _ view: String) -> JSONValue { step("tap", ["control": control, "view": view]) }

  func steps(of row: ProgramScreen.Row, in screen: ProgramScreen) -> [JSONValue] {
    switch program {
    case "ios-concurrency": return screen.view == "users" ? [tap("user \(row.id)", "users")] : []
    case "slideshow":
      return [step("select", ["image": row.id, "view": "preview"]), step("appear", ["view": "preview"])]
    case "photorama", "soogreyhounds": return [step("select", ["image": row.id, "view": "photos"])]
    case "image-fetcher": return [step("select", ["image": row.id, "view": "detail"])]
    default:
      let select = step("select", ["image": row.id, "view": "detail"])
      return isVisible["detail"] == true ? [select] : [select, step("appear", ["view": "detail"])]
    }
  }

  func second(of row: ProgramScreen.Row) -> ScreensMessage.Button? {
    guard program == "slideshow" else { return nil }
    let title = "\(row.isMarked ? "Remove" : "Add") \(row.title) \(row.isMarked ? "from" : "to") the favorites"
    return Button(title: title, steps: [tap("favorite \(row.id)", "manage")])
  }

  func buttons(of screen: ProgramScreen) -> [ScreensMessage.Button] {
    let view = screen.view
    var buttons: [Button] = []
    switch (program, view) {
    case ("slideshow", _):
      if view == "preview" {
        buttons = [
          Button(title: "Previous", steps: [tap("previous", view)]), Button(title: "Next", steps: [tap("next", view)]),
        ]
      } else {
        buttons = [Button(title: "Reload", steps: [tap("reload", view)])]
      }
      buttons += [("Slides", "manage"), ("Preview", "preview")].map {
        Button(title: $0.0, steps: [step("appear", ["view": $0.1])], role: $0.1 == view ? .current : .tab)
      }
    case ("photorama", _), ("soogreyhounds", _):
      buttons = [
        Button(title: "Reload", steps: [tap("reload", view)]), Button(title: "All photos", steps: [tap("list", view)]),
        Button(title: "Upload", steps: [tap("upload", view)]),
        Button(title: "Search", steps: [tap("search ", view)], role: .input),
      ]
    case ("ios-concurrency", "users"):
      buttons = [
        Button(title: "All posts", steps: [tap("all-posts", view)]),
        Button(title: "Comments", steps: [tap("comments", view)]),
        Button(title: "Reload", steps: [tap("reload", view)]),
        Button(title: "Open address", steps: [tap("address ", view)], role: .input),
      ]
    case ("ios-concurrency", _):
      buttons = [
        Button(title: "Users", steps: [tap("back", view)], role: .back),
        Button(title: "Reload", steps: [tap("reload", view)]),
      ]
    case ("image-fetcher", "list"):
      buttons = [
        Button(title: "One page at a time", steps: [tap("collapse", "split")]),
        Button(title: "Side by side", steps: [tap("side-by-side", "split")]),
        Button(title: "Allow arbitrary loads", steps: [tap("allow-arbitrary-loads", "split")]),
      ]
    case ("image-fetcher", _):
      buttons = [
        Button(title: "Favorites", steps: [step("deselect", ["view": "detail"])], role: .back),
        Button(title: "Side by side", steps: [tap("side-by-side", "split")]),
      ]
    case (_, "detail"):
      buttons = [Button(title: "Leave", steps: [step("disappear", ["view": "detail"])], role: .back)]
    case (_, "list"):
      if isVisible["detail"] == false {
        buttons = [Button(title: "Return to the picture", steps: [step("appear", ["view": "detail"])])]
      }
      buttons.append(Button(title: "Memory warning", steps: [step("memory-warning", [:])]))
    default: break
    }
    if screen.alert != nil {
      let canDismiss = program == "ios-concurrency"
      let steps = canDismiss ? [tap("dismiss", view)] : [tap("reload", view)]
      buttons.append(Button(title: canDismiss ? "Dismiss" : "Try again", steps: steps, role: .dismiss))
    }
    return buttons
  }
}
