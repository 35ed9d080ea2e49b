import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import TestMachine
import Testing

#if os(Linux)
  extension OwnProcesses {
    /// Curl reads the proxy from the environment, so each test runs in a separate process.
    @Suite struct ProxyTests {
      /// Each variable and each strategy at least once. A long run tests every pair.
      private static let pairs = Workbench.strategies.enumerated().flatMap { number, strategy in
        let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return (LongTests.areEnabled ? variables : [variables[number % variables.count]]).map {
          ($0, strategy.description)
        }
      }

      @Test("A plain HTTP request to this machine never reaches a proxy", arguments: pairs)
      func loopback(variable: String, strategy: String) async {
        await #expect(processExitsWith: .success) { [variable, strategy] in
          let proxy = try OriginServer(
            content: OriginContent(fallback: OriginResponse(body: .data(Sample.gif.bytes))))
          setenv(variable, proxy.baseURL.absoluteString, 1)
          // An empty value counts as unset, so the uppercase variable applies.
          setenv("no_proxy", "", 1)
          setenv("NO_PROXY", "example.org", 1)
          let workbench = try Workbench(StrategyName(strategy))
          let port = try #require(workbench.origin.baseURL.port)
          func load(_ host: String) async -> Result<ImageFormat?, FetchError> {
            let image = IFImage(name: "a", url: "http://\(host):\(port)/a.png", in: workbench.environment)
            do throws(FetchError) { return .success(try await image.load().format) } catch { return .failure(error) }
          }
          let isProxied = !variable.lowercased().hasPrefix("https") && strategy != "socket"
          for host in ["127.0.0.1", "localhost", "127.8.9.10"] {
            let result = await load(host)
            // The origin listens on 127.0.0.1 only.
            if isProxied { #expect(result == .failure(.transport(306)), "\(host)") }
            if !isProxied, host != "127.8.9.10" { #expect(result == .success(.png), "\(host)") }
          }
          setenv("no_proxy", "example.org,127.0.0.0/8,localhost,::1", 1)
          for host in ["127.0.0.1", "localhost"] { #expect(await load(host) == .success(.png), "\(host)") }
          #expect(proxy.counters.connections == 0)
        }
      }
    }
  }
#endif
