// swift-tools-version: 6.3
import PackageDescription

// The same settings as in the package above, which links their proposals.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

// A separate package, so that the library does not depend on the peers.
let package = Package(
  name: "bus-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-fetcher-lab", path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0"),
  ],
  targets: [
    .target(name: "HeapCounters"),
    .target(name: "Harness", swiftSettings: settings),
    .executableTarget(
      name: "bus-benchmarks",
      dependencies: [
        "Harness", "HeapCounters",
        .product(name: "EventBus", package: "swift-fetcher-lab"),
        .product(name: "SmallBus", package: "swift-fetcher-lab"),
        .product(name: "ScheduleExplorer", package: "swift-fetcher-lab"),
        .product(name: "VirtualTime", package: "swift-fetcher-lab"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ],
      path: "Sources/BusBenchmarks",
      swiftSettings: settings),
    .executableTarget(
      name: "fetch-benchmarks",
      dependencies: [
        "Harness",
        .product(name: "EventBus", package: "swift-fetcher-lab"),
        .product(name: "FetcherModel", package: "swift-fetcher-lab"),
        .product(name: "OriginServer", package: "swift-fetcher-lab"),
        .product(name: "SocketStrategy", package: "swift-fetcher-lab"),
      ],
      path: "Sources/FetchBenchmarks",
      swiftSettings: settings),
    // The hooks precede functions of the C library and the runtime, so the other programs do not link them.
    .executableTarget(
      name: "search-benchmarks",
      dependencies: [
        "Harness",
        .product(name: "ExplorerHooks", package: "swift-fetcher-lab"),
        .product(name: "ScheduleExplorer", package: "swift-fetcher-lab"),
      ],
      path: "Sources/SearchBenchmarks",
      swiftSettings: settings),
    .testTarget(name: "HarnessTests", dependencies: ["Harness"], swiftSettings: settings),
    .testTarget(name: "HeapCountersTests", dependencies: ["HeapCounters"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
