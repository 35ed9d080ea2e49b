// swift-tools-version: 6.3
import PackageDescription

// A separate package, because its dependencies take minutes to build. `fetch-benchmarks` starts the executable if it has been built.
let package = Package(
  name: "async-http-client-peer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0")
  ],
  targets: [
    .executableTarget(
      name: "async-http-client-peer",
      dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")],
      path: "Sources")
  ],
  swiftLanguageModes: [.v6]
)
