// swift-tools-version: 6.2
import PackageDescription

// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

// Each lesson has its stage, and variants of one program. They declare the same types, so each kind is a module of its own.
let lessonsFolder = "scenarios/lessons"
let lessons = [
  "L01-main-lane-only",
  "L02-blocking-the-main-lane",
  "L03-last-answer-wins",
  "L04-one-request-for-two",
  "L05-flag-never-cleared",
  "L06-after-disappear",
  "L07-strong-capture",
  "L08-weak-is-not-cancel",
  "L09-unsubscribe-in-a-handler",
  "L10-queued-delivery",
  "L11-reentrant-publish",
  "L12-subscribe-late",
  "L13-cancel-is-a-request",
  "L14-truncated-is-not-success",
  "L15-completed-twice",
  "L16-pool-starvation",
  "L17-waiting-in-the-pool",
  "L18-actor-reentrancy",
  "L19-two-taps-two-tasks",
  "L20-switch-mid-flight",
  "L21-order-into-an-actor",
  "L22-timeout-that-waits",
  "L23-cancel-before-the-handle",
  "L24-resumed-never-or-twice",
  "L25-one-failure-for-all",
  "L26-back-pressure",
  "X1-check-then-act",
  "X2-coordinated-omission",
  "X3-sanitizer-is-no-proof",
]

/// The ends of the names of each module's files, and the folder that it has to itself.
let lessonKinds = [
  "Lessons": ("", "Stage"), "BrokenLessons": ("Broken", "Broken"), "FixedLessons": ("Fixed", "Fixed"),
  "HalfRepairedLessons": ("HalfRepair", "HalfRepaired"),
]

func lessonSources(_ module: String) -> [String] {
  guard let (end, folder) = lessonKinds[module] else { fatalError("\(module) has no lessons") }
  return [folder] + lessons.map { "\($0)/\($0.prefix { $0 != "-" })\(end).swift" }
}

/// Learners change these. A copy of each as it was compiled goes with the program, which judges that one.
let brokenPrograms = lessonSources("BrokenLessons").dropFirst()

/// What is in the folder and belongs to others.
func foreignToLessons(_ module: String) -> [String] {
  ["README.md"] + lessons.map { "\($0)/lesson.md" }
    + lessonKinds.keys.filter { $0 != module }.sorted().flatMap { lessonSources($0) }
}

let package = Package(
  name: "swift-fetcher-lab",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "EventBus", targets: ["EventBus"]),
    .library(name: "FetcherModel", targets: ["FetcherModel"]),
    .library(name: "FetcherViews", targets: ["FetcherViews"]),
    .library(name: "OriginServer", targets: ["OriginServer"]),
    .library(name: "ScenarioEngine", targets: ["ScenarioEngine"]),
    .library(name: "ScheduleExplorer", targets: ["ScheduleExplorer"]),
    .library(name: "ScheduleExplorerTesting", targets: ["ScheduleExplorerTesting"]),
    .library(name: "VirtualTime", targets: ["VirtualTime"]),
    .executable(name: "fetcher", targets: ["FetcherApp"]),
  ],
  // Without it, `exploreSwift` throws: `swift build --disable-default-traits`.
  traits: [
    .trait(
      name: "SwiftExecutors", description: "Explore unmodified Swift code, by an experimental interface of the runtime."
    ),
    .default(enabledTraits: ["SwiftExecutors"]),
  ],
  targets: [
    .target(name: "EventBus", swiftSettings: settings),
    .target(name: "VirtualTime", dependencies: ["EventBus"], swiftSettings: settings),
    .target(name: "HTTPWire", swiftSettings: settings),
    .target(name: "OriginServer", dependencies: ["HTTPWire"], swiftSettings: settings),
    .target(name: "FetcherModel", dependencies: ["EventBus", "HTTPWire"], swiftSettings: settings),
    .target(name: "FetcherViews", dependencies: ["EventBus", "FetcherModel"], swiftSettings: settings),
    .target(name: "ScenarioFormat", dependencies: ["HTTPWire"], swiftSettings: settings),
    .target(
      name: "ScenarioEngine",
      dependencies: [
        "EventBus", "FetcherModel", "FetcherViews", "HTTPWire", "OriginServer", "ScenarioFormat", "VirtualTime",
      ],
      swiftSettings: settings),
    .target(name: "SwiftExecutors", dependencies: ["EventBus", "VirtualTime"], swiftSettings: settings),
    .target(
      name: "ScheduleExplorer", dependencies: ["EventBus", "SwiftExecutors", "VirtualTime"], swiftSettings: settings),
    .target(
      name: "ScheduleExplorerTesting", dependencies: ["ScheduleExplorer", "VirtualTime"], swiftSettings: settings),
    .target(name: "Comparison", swiftSettings: settings),
    .target(
      name: "Lessons", dependencies: ["EventBus", "ScheduleExplorer", "VirtualTime"], path: lessonsFolder,
      exclude: foreignToLessons("Lessons").filter { !brokenPrograms.contains($0) },
      sources: lessonSources("Lessons"), resources: brokenPrograms.map { .copy($0) }, swiftSettings: settings),
    .target(
      name: "BrokenLessons", dependencies: ["EventBus", "Lessons"], path: lessonsFolder,
      exclude: foreignToLessons("BrokenLessons"), sources: lessonSources("BrokenLessons"), swiftSettings: settings),
    .target(
      name: "FixedLessons", dependencies: ["EventBus", "Lessons"], path: lessonsFolder,
      exclude: foreignToLessons("FixedLessons"), sources: lessonSources("FixedLessons"), swiftSettings: settings),
    .target(
      name: "HalfRepairedLessons", dependencies: ["EventBus", "Lessons"], path: lessonsFolder,
      exclude: foreignToLessons("HalfRepairedLessons"), sources: lessonSources("HalfRepairedLessons"),
      swiftSettings: settings),
    .executableTarget(
      name: "FetcherApp",
      dependencies: [
        "BrokenLessons", "Comparison", "EventBus", "FetcherModel", "FetcherViews", "FixedLessons",
        "HTTPWire", "HalfRepairedLessons", "Lessons", "OriginServer", "ScenarioEngine", "ScenarioFormat",
        "ScheduleExplorer", "VirtualTime",
      ],
      resources: [.copy("Resources")], swiftSettings: settings),
    .target(name: "TestMachine", dependencies: ["EventBus"], path: "Tests/TestMachine", swiftSettings: settings),
    .testTarget(
      name: "EventBusTests", dependencies: ["EventBus", "TestMachine", "VirtualTime"], swiftSettings: settings),
    .testTarget(
      name: "MainActorTests", dependencies: ["EventBus"],
      swiftSettings: settings + [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "FetcherModelTests",
      dependencies: ["EventBus", "FetcherModel", "HTTPWire", "OriginServer", "TestMachine", "VirtualTime"],
      swiftSettings: settings),
    .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire"], swiftSettings: settings),
    .testTarget(
      name: "OriginServerTests", dependencies: ["OriginServer", "TestMachine"], swiftSettings: settings),
    .testTarget(
      name: "ScheduleExplorerTests",
      dependencies: ["EventBus", "ScheduleExplorer", "ScheduleExplorerTesting", "TestMachine", "VirtualTime"],
      swiftSettings: settings),
    .testTarget(
      name: "SwiftExecutorsTests",
      dependencies: [
        "EventBus", "FetcherModel", "OriginServer", "ScenarioEngine", "ScheduleExplorer", "ScheduleExplorerTesting",
        "SwiftExecutors", "TestMachine", "VirtualTime",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "VirtualTimeTests", dependencies: ["EventBus", "TestMachine", "VirtualTime"], swiftSettings: settings),
    .testTarget(name: "ArchitectureTests", dependencies: ["TestMachine"], swiftSettings: settings),
    .target(
      name: "ScenarioSamples", dependencies: ["ScenarioFormat"], path: "Tests/ScenarioSamples", swiftSettings: settings),
    .testTarget(
      name: "ComparisonTests", dependencies: ["Comparison", "TestMachine"], exclude: ["known-answers.py"],
      swiftSettings: settings),
    .testTarget(
      name: "ScenarioFormatTests", dependencies: ["ScenarioFormat", "ScenarioSamples", "TestMachine"],
      swiftSettings: settings),
    .testTarget(
      name: "ScenarioEngineTests",
      dependencies: [
        "EventBus", "FetcherModel", "OriginServer", "ScenarioEngine", "ScenarioFormat", "ScenarioSamples",
        "TestMachine", "VirtualTime",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FetcherViewsTests",
      dependencies: [
        "EventBus", "FetcherModel", "FetcherViews", "OriginServer", "ScenarioEngine", "TestMachine", "VirtualTime",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FetcherAppTests",
      dependencies: [
        "Comparison", "FetcherApp", "EventBus", "FetcherModel", "OriginServer", "ScenarioEngine", "ScenarioFormat",
        "ScenarioSamples", "ScheduleExplorer", "TestMachine",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "LessonsTests",
      dependencies: [
        "BrokenLessons", "EventBus", "FetcherApp", "FixedLessons", "HalfRepairedLessons", "Lessons",
        "ScheduleExplorer", "TestMachine",
      ], swiftSettings: settings),
    .testTarget(
      name: "CommandLineTests",
      dependencies: ["EventBus", "FetcherApp", "OriginServer", "ScenarioEngine", "TestMachine"],
      path: "Tests/CommandLine", exclude: ["Golden"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
