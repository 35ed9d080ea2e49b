/// The order in which the lessons are taught: five sittings of about two hours.
enum Course {
  /// The experience that a lesson expects.
  enum Level: String, Sendable, Codable {
    case easy, medium, hard
  }

  /// A lesson in the course.
  struct Stop: Sendable {
    let id: String
    /// The time that a learner needs to predict, break and repair the program.
    let minutes: Int
    let level: Level
    /// The lessons on which this one builds. Each of them comes earlier in the course.
    let after: [String]

    init(_ id: String, _ minutes: Int, _ level: Level, after: [String] = []) {
      (self.id, self.minutes, self.level, self.after) = (id, minutes, level, after)
    }
  }

  /// About two hours of lessons with one subject.
  struct Sitting: Sendable {
    let title: String
    let stops: [Stop]
    var minutes: Int { stops.reduce(0) { $0 + $1.minutes } }
  }

  static let sittings = [
    Sitting(
      title: "the screen and its answers",
      stops: [
        Stop("L01", 10, .easy), Stop("L02", 10, .easy, after: ["L01"]), Stop("L03", 15, .easy, after: ["L01"]),
        Stop("L05", 10, .easy), Stop("L14", 10, .easy), Stop("L04", 15, .easy, after: ["L01"]),
        Stop("L06", 15, .medium, after: ["L03"]),
        Stop("L20", 20, .medium, after: ["L03"]),
      ]),
    Sitting(
      title: "owners, events and cancellation",
      stops: [
        Stop("L07", 10, .easy), Stop("L08", 15, .easy, after: ["L07"]), Stop("L12", 10, .easy),
        Stop("L09", 15, .medium), Stop("L10", 15, .medium, after: ["L06", "L09"]),
        Stop("L11", 20, .medium, after: ["L09"]), Stop("L13", 15, .medium, after: ["L08"]),
        Stop("L15", 15, .medium, after: ["L13"]),
      ]),
    Sitting(
      title: "pools, actors and tasks",
      stops: [
        Stop("L16", 15, .easy, after: ["L02"]), Stop("L17", 15, .medium, after: ["L16"]),
        Stop("X3", 15, .medium, after: ["L04"]), Stop("L18", 20, .medium, after: ["L04"]),
        Stop("L19", 15, .medium, after: ["L03"]), Stop("L21", 20, .medium, after: ["L18"]),
        Stop("L24", 15, .medium, after: ["L15"]),
      ]),
    Sitting(
      title: "groups, streams and measurement",
      stops: [
        Stop("L25", 20, .medium, after: ["L18"]), Stop("L22", 25, .hard, after: ["L24", "L25"]),
        Stop("L23", 25, .hard, after: ["L13", "L24"]), Stop("L26", 25, .hard, after: ["L21"]),
        Stop("X2", 20, .medium),
      ]),
    Sitting(
      title: "Swift 6 in practice",
      stops: [
        Stop("L27", 20, .medium, after: ["L01"]), Stop("L31", 20, .medium, after: ["L25"]),
        Stop("L30", 25, .medium, after: ["L13"]), Stop("L28", 25, .hard, after: ["L18"]),
        Stop("L29", 30, .hard, after: ["L28"]),
      ]),
  ]

  /// The lessons in the order of the course.
  static let stops = sittings.flatMap(\.stops)

  static func stop(_ id: String) -> Stop? { stops.first { $0.id == id } }
}
