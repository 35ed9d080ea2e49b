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

let package = Package(
  name: "swift-fetcher-lab",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "EventBus", targets: ["EventBus"]),
    .library(name: "EventBusTesting", targets: ["EventBusTesting"]),
    .library(name: "FetcherModel", targets: ["FetcherModel"]),
    .library(name: "ScheduleExplorer", targets: ["ScheduleExplorer"]),
    .executable(name: "fetcher", targets: ["FetcherApp"]),
  ],
  targets: [
    .target(name: "EventBus", swiftSettings: settings),
    .target(name: "EventBusTesting", dependencies: ["EventBus"], swiftSettings: settings),
    .target(name: "OriginServer", swiftSettings: settings),
    .target(name: "FetcherModel", dependencies: ["EventBus"], swiftSettings: settings),
    .target(name: "ScheduleExplorer", dependencies: ["EventBus"], swiftSettings: settings),
    .executableTarget(
      name: "FetcherApp", dependencies: ["EventBus", "FetcherModel", "OriginServer", "ScheduleExplorer"],
      resources: [.copy("Resources")], swiftSettings: settings),
    .target(name: "TestMachine", dependencies: ["EventBus"], path: "Tests/TestMachine", swiftSettings: settings),
    .testTarget(
      name: "EventBusTests", dependencies: ["EventBus", "EventBusTesting", "TestMachine"], swiftSettings: settings),
    .testTarget(
      name: "MainActorTests", dependencies: ["EventBus"],
      swiftSettings: settings + [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "EventBusTestingTests", dependencies: ["EventBus", "EventBusTesting"], swiftSettings: settings),
    .testTarget(
      name: "FetcherModelTests",
      dependencies: ["EventBus", "EventBusTesting", "FetcherModel", "OriginServer", "TestMachine"],
      swiftSettings: settings),
    .testTarget(name: "OriginServerTests", dependencies: ["OriginServer"], swiftSettings: settings),
    .testTarget(
      name: "ScheduleExplorerTests", dependencies: ["EventBus", "ScheduleExplorer"], swiftSettings: settings),
    .testTarget(
      name: "FetcherAppTests",
      dependencies: ["FetcherApp", "EventBus", "FetcherModel", "OriginServer", "ScheduleExplorer", "TestMachine"],
      swiftSettings: settings),
    .testTarget(
      name: "CommandLineTests", dependencies: ["EventBus", "FetcherApp", "OriginServer"],
      path: "Tests/CommandLine", exclude: ["Golden"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
