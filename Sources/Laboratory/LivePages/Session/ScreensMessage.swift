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
    let second: ProgramFace.Button?
  }

  struct Screen: Encodable, Equatable, Sendable {
    let view: String
    /// The title of the view or of its picture, or else the name of the view.
    let title: String
    let rows: [Row]
    let hasPicture: Bool
    /// The name of the picture, or nil if the screen shows the placeholder or nothing.
    let picture: String?
    let isPlaceholder: Bool
    let isLoading: Bool
    let problem: String?
    let alert: String?
    let message: String?
    var buttons: [ProgramFace.Button]
  }

  let screens: [Screen]
  let isIdle: Bool

  init(_ screens: [ProgramScreen], of program: LiveProgram, isIdle: Bool, _ pictures: KeptFiles) {
    self.isIdle = isIdle
    let face = ProgramFace(program: program.name, screens)
    self.screens = screens.filter(\.isVisible).map { screen in
      Screen(
        view: screen.view, title: screen.title ?? screen.view,
        rows: screen.rows.map { row in
          Row(
            title: row.title, detail: row.detail, state: row.state?.rawValue,
            picture: row.picture.map(pictures.keep), isSelected: row.isSelected, isMarked: row.isMarked,
            steps: face.steps(of: row, in: screen), second: face.second(of: row))
        },
        hasPicture: screen.hasPicture,
        picture: screen.picture.flatMap { $0.isPlaceholder ? nil : pictures.keep($0) },
        isPlaceholder: screen.picture?.isPlaceholder == true, isLoading: screen.isLoading, problem: screen.problem,
        alert: screen.alert, message: screen.message, buttons: face.buttons(of: screen))
    }
  }
}
