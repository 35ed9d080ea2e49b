// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "my-fetcher",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-fetcher-lab", path: "../..")],
  targets: [
    .executableTarget(
      name: "my-fetcher",
      dependencies: [
        .product(name: "FetcherApp", package: "swift-fetcher-lab"),
        .product(name: "FetcherModel", package: "swift-fetcher-lab"),
        .product(name: "SocketStrategy", package: "swift-fetcher-lab"),
      ])
  ]
)
