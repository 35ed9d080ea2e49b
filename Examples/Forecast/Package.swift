// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Forecast",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-fetcher-lab", path: "../..")],
  targets: [
    .target(name: "Forecast"),
    .testTarget(
      name: "ForecastTests",
      dependencies: ["Forecast", .product(name: "ScheduleExplorerTesting", package: "swift-fetcher-lab")]),
  ]
)
