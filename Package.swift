// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "swift-fetcher-lab",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "EventBus", targets: ["EventBus"]),
    .library(name: "SmallBus", targets: ["SmallBus"]),
    .library(name: "FetcherModel", targets: ["FetcherModel"]),
    .library(name: "FetcherViews", targets: ["FetcherViews"]),
    .library(name: "TutorialApps", targets: ["TutorialApps"]),
    .library(name: "FetcherApp", targets: ["FetcherApp"]),
    .executable(name: "fetcher", targets: ["fetcher"]),
    .library(name: "SocketStrategy", targets: ["SocketStrategy"]),
    .library(name: "OriginServer", targets: ["OriginServer"]),
    .library(name: "VirtualTime", targets: ["VirtualTime"]),
    .library(name: "ScenarioEngine", targets: ["ScenarioEngine"]),
    .library(name: "ScheduleExplorer", targets: ["ScheduleExplorer"]),
    .library(name: "ScheduleExplorerTesting", targets: ["ScheduleExplorerTesting"]),
    .library(name: "ExplorerHooks", targets: ["ExplorerHooks"]),
  ],
  traits: [
    .trait(
      name: "SwiftExecutors",
      description: "Enables `exploreSwift`, which uses an experimental interface of the Swift runtime."
    ),
    .default(enabledTraits: ["SwiftExecutors"]),
  ],
  targets: [
    // The sample: a model publishes events on a bus, and views observe them.
    .target(name: "Scheduling"),
    .target(name: "PlainText"),
    .target(name: "EventBus", dependencies: ["Scheduling"]),
    .target(name: "SmallBus"),
    .target(name: "FetcherModel", dependencies: ["EventBus", "PlainText"]),
    .target(name: "FetcherViews", dependencies: ["FetcherModel"]),
    .target(name: "TutorialApps", dependencies: ["FetcherViews"]),
    .target(name: "CommandLineTool", dependencies: ["PlainText", "Scheduling"]),
    .target(
      name: "FetcherApp", dependencies: ["Commands", "CommandLineTool", "FetcherViews", "OriginServer"],
      exclude: ["Main"], resources: [.copy("Resources")]),
    .executableTarget(
      name: "fetcher", dependencies: ["FetcherApp", "SocketStrategy"], path: "Sources/FetcherApp/Main"),
    .executableTarget(name: "FirstLook", dependencies: ["FetcherModel"], path: "Examples/FirstLook"),
    .executableTarget(name: "Album", dependencies: ["FetcherModel"], path: "Examples/Album"),

    // The laboratory runs, compares and explores the sample.
    laboratory("HTTPWire", []),
    laboratory("SocketStrategy", ["FetcherModel", "HTTPWire"]),
    laboratory("OriginServer", ["HTTPWire", "PlainText", "Scheduling"]),
    laboratory("SeededNumbers", []),
    laboratory("VirtualTime", ["PlainText", "Scheduling", "SeededNumbers"]),
    laboratory("ScenarioFormat", ["PlainText"]),
    laboratory(
      "ScenarioEngine", ["OriginServer", "ScenarioFormat", "SocketStrategy", "TutorialApps", "VirtualTime"]),
    laboratory("ScheduleExplorer", ["VirtualTime"]),
    // Only tests link the hooks: they precede functions of the runtime, which `compare` measures.
    laboratory("ExplorerHooks", []),
    laboratory("ScheduleExplorerTesting", ["ExplorerHooks", "ScheduleExplorer"]),
    laboratory("Comparison", ["PlainText", "SeededNumbers"]),
    laboratory(
      "RunPages", ["ScenarioEngine", "ScheduleExplorer"], resources: PageScript.files.map { .embedInCode($0) }),
    laboratory("LivePages", ["RunPages"], resources: LiveScript.files.map { .embedInCode($0) }),
    laboratory(
      "Commands",
      ["BrokenLessons", "CommandLineTool", "Comparison", "FixedLessons", "HalfRepairedLessons", "LivePages"]),

    // The lessons: a stage and three variants of each program. The variants declare the same types, so each kind is a module.
    Lesson.target("Lessons", ["EventBus", "ScheduleExplorer"], "Stage", "", resources: Lesson.files("Broken")),
    Lesson.target("BrokenLessons", ["Lessons"], "Broken", "Broken"),
    Lesson.target("FixedLessons", ["Lessons"], "Fixed", "Fixed"),
    Lesson.target("HalfRepairedLessons", ["Lessons"], "HalfRepaired", "HalfRepair"),

    // The tests. Each target can also import the dependencies of its module.
    .target(name: "TestMachine", dependencies: ["EventBus"], path: "Tests/TestMachine"),
    .target(name: "ModelFixtures", dependencies: ["ScenarioEngine", "TestMachine"], path: "Tests/ModelFixtures"),
    // Examples in the style of the tutorials, in Swift 5.
    .target(
      name: "TutorialStyle", path: "Tests/TutorialStyle", exclude: ["tutorial-identifiers.txt"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "ScenarioSamples", dependencies: ["ScenarioFormat"], path: "Tests/Laboratory/ScenarioSamples"),
    tests("ArchitectureTests", []),
    tests("PlainTextTests", ["PlainText"]),
    tests("EventBusTests", ["EventBus", "SmallBus", "VirtualTime"]),
    .testTarget(name: "MainActorTests", dependencies: ["EventBus"], swiftSettings: [.treatAllWarnings(as: .error)]),
    tests("FetcherModelTests", ["ModelFixtures"]),
    tests("FetcherViewsTests", ["ModelFixtures"]),
    tests("TutorialAppsTests", ["ModelFixtures", "TutorialStyle"]),
    tests("CommandLineToolTests", ["CommandLineTool"]),
    tests("FetcherAppTests", ["FetcherApp"]),
    tests("CommandLineTests", ["FetcherApp"], path: "Tests/CommandLine", exclude: ["Golden", "odd-answers.py"]),
    laboratoryTests("HTTPWireTests", ["HTTPWire"]),
    laboratoryTests("SocketStrategyTests", ["ModelFixtures"]),
    laboratoryTests("OriginServerTests", ["OriginServer"]),
    laboratoryTests("SeededNumbersTests", ["SeededNumbers"]),
    laboratoryTests("VirtualTimeTests", ["EventBus", "VirtualTime"]),
    laboratoryTests("ScenarioFormatTests", ["ScenarioFormat", "ScenarioSamples"]),
    laboratoryTests("ScenarioEngineTests", ["ScenarioEngine", "ScenarioSamples"]),
    laboratoryTests("ScheduleExplorerTests", ["EventBus", "ScheduleExplorerTesting"]),
    laboratoryTests("SwiftExecutorsTests", ["ScenarioEngine", "ScheduleExplorerTesting"]),
    laboratoryTests("ExploredTests", ["ScheduleExplorerTesting"]),
    laboratoryTests("RunPagesTests", ["RunPages", "ScenarioSamples"]),
    laboratoryTests("LivePagesTests", ["LivePages", "ModelFixtures"]),
    laboratoryTests("ComparisonTests", ["Comparison"], exclude: ["known-answers.py"]),
    laboratoryTests("CommandsTests", ["Commands", "ScenarioSamples"]),
    laboratoryTests("LessonsTests", ["Commands", "ScheduleExplorerTesting"]),
  ],
  swiftLanguageModes: [.v6]
)

// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
for target in package.targets {
  // Each module in Sources has a README.
  if (target.path ?? "Sources/").hasPrefix("Sources/"), target.name != "fetcher", target.type != .test {
    target.exclude.append("README.md")
  }
  // So does each layer of the bus.
  if target.name == "EventBus" {
    let layers = ["Events", "Reclamation", "Subscribers", "Calling", "Mailboxes", "Channel", "Bus"]
    target.exclude += layers.map { "\($0)/README.md" }
  }
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}

// The sanitizer run of `.ci/run` names the tests that it builds.
if let names = Context.environment["FETCHER_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

func laboratory(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Laboratory/\(name)", resources: resources)
}

/// The script and style of a page that plays back a run, compiled into the library for installed executables.
enum PageScript {
  static let files = ["data.js", "drawing.js", "page.css", "page.js", "runs.js", "state.js", "table.js"].map {
    "Script/\($0)"
  }
}

/// The script, style and document of the live page, compiled into the library like those of `PageScript`.
enum LiveScript {
  static let files = ["device.js", "icon.svg", "live.css", "live.html", "live.js"].map { "Script/\($0)" }
}

func tests(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestMachine"], path: path, exclude: exclude)
}

func laboratoryTests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  tests(name, dependencies, path: "Tests/Laboratory/\(name)", exclude: exclude)
}

enum Lesson {
  static let folders = [
    "L01-main-lane-only", "L02-blocking-the-main-lane", "L03-last-answer-wins", "L04-one-request-for-two",
    "L05-flag-never-cleared", "L06-after-disappear", "L07-strong-capture", "L08-weak-is-not-cancel",
    "L09-unsubscribe-in-a-handler", "L10-queued-delivery", "L11-reentrant-publish", "L12-subscribe-late",
    "L13-cancel-is-a-request", "L14-truncated-is-not-success", "L15-completed-twice", "L16-pool-starvation",
    "L17-waiting-in-the-pool", "L18-actor-reentrancy", "L19-two-taps-two-tasks", "L20-switch-mid-flight",
    "L21-order-into-an-actor", "L22-timeout-that-waits", "L23-cancel-before-the-handle",
    "L24-resumed-never-or-twice", "L25-one-failure-for-all", "L26-back-pressure", "L27-isolation",
    "L28-complete-single-flight", "L29-token-refresh", "L30-structured-cancellation", "L31-bounded-group",
    "X2-coordinated-omission", "X3-sanitizer-is-no-proof",
  ]

  /// A module of `folder` and one file per lesson, such as `L01-main-lane-only/L01Broken.swift` for the suffix `Broken`.
  static func target(
    _ name: String, _ dependencies: [Target.Dependency], _ folder: String, _ suffix: String, resources: [String] = []
  ) -> Target {
    let others =
      ["Stage", "Broken", "Fixed", "HalfRepaired"].filter { $0 != folder }
      + ["", "Broken", "Fixed", "HalfRepair"].filter { $0 != suffix }.flatMap(files)
    let texts = folders.map { "\($0)/lesson.md" } + ["README.md", "TEACHING.md", "TEACHING-LESSONS.md"]
    return .target(
      name: name, dependencies: dependencies, path: "scenarios/lessons",
      exclude: (others + texts).filter { !resources.contains($0) }, sources: [folder] + files(suffix),
      resources: resources.map { .copy($0) })
  }

  static func files(_ suffix: String) -> [String] {
    folders.map { "\($0)/\($0.prefix { $0 != "-" })\(suffix).swift" }
  }
}
