/// A situation as a scenario file describes it: images, what the origin answers, what a person does, what must hold.
struct Scenario: Sendable, Equatable {
  /// A picture that the origin makes.
  struct Image: Sendable, Equatable {
    let id: String
    let path: String
    var width = 64
    var height = 64
  }

  /// One answer of the origin.
  struct Response: Sendable, Equatable {
    enum Body: Sendable, Equatable {
      case image(String)
      case bytes(Int)
      /// The image of the route's path, or nothing.
      case ofPath
    }
    var status = 200
    var latency = Duration.zero
    var body = Body.ofPath
  }

  /// The answers for one path.
  struct Route: Sendable, Equatable {
    let path: String
    let responses: [Response]
    /// `repeat-last`, `cycle` or `error`.
    let then: String
  }

  /// What a person does.
  enum Action: Sendable, Equatable {
    case appear(view: String)
    case disappear(view: String)
    case select(image: String, view: String)
    case switchStrategy(String)
  }

  /// An action at its time since the start.
  struct Step: Sendable, Equatable {
    let time: Duration
    let action: Action
  }

  /// What must hold in the end.
  enum Expectation: Sendable, Equatable {
    /// What a view shows: the id of an image, `placeholder`, or nil for an empty page.
    case shown(view: String, is: String?)
    /// How often something happened.
    case count(event: String, image: String?, view: String?, in: ClosedRange<Int>)
  }

  /// An expectation with its place in the file, and the sentence that explains it.
  struct Check: Sendable, Equatable {
    let expectation: Expectation
    let path: String
    let why: String?
  }

  /// What can be counted.
  static let events = [
    "image.started", "image.fetched", "image.failed", "ui.update", "origin.request",
  ]

  let name: String
  let title: String
  /// Empty where the file names none.
  let strategies: [String]
  let images: [Image]
  let fallback: Response?
  let routes: [Route]
  let steps: [Step]
  let checks: [Check]

  /// The views that the steps speak of, in the order of their first step.
  var views: [String] {
    steps.reduce(into: []) { views, step in
      let view: String? =
        switch step.action {
        case .appear(let view), .disappear(let view), .select(_, let view): view
        case .switchStrategy: nil
        }
      if let view, !views.contains(view) { views.append(view) }
    }
  }
}
