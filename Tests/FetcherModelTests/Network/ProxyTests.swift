import FetcherModel
import Foundation
import OriginServer
import TestMachine
import Testing

#if os(Linux)
  extension OwnProcesses {
    /// Curl reads the proxy from the environment, so each test has a process of its own.
    @Suite struct ProxyTests {
      /// Each variable and each strategy, in a process of its own; a long run has every pair.
      private static let pairs = Laboratory.strategies.enumerated().flatMap { number, strategy in
        let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return (LongTests.areEnabled ? variables : [variables[number % variables.count]]).map {
          ($0, strategy.description)
        }
      }

      @Test(
        "Plain http to this machine never uses a proxy variable",
        arguments: pairs)
      func loopback(variable: String, strategy: String) async {
        await #expect(processExitsWith: .success) { [variable, strategy] in
          let proxy = try OriginServer(
            content: OriginContent(fallback: OriginResponse(body: .data(Sample.gif.bytes))))
          setenv(variable, proxy.baseURL.absoluteString, 1)
          // An empty value counts as none, so the uppercase name applies.
          setenv("no_proxy", "", 1)
          setenv("NO_PROXY", "example.org", 1)
          let laboratory = try Laboratory(StrategyName(strategy))
          let port = try #require(laboratory.origin.baseURL.port)
          for host in ["127.0.0.1", "localhost", "127.8.9.10"] {
            let image = IFImage(name: "a", url: "http://\(host):\(port)/a.png", in: laboratory.environment)
            let picture = try? await image.load()
            // The origin listens on 127.0.0.1 only.
            #expect(picture?.format == (host == "127.8.9.10" ? nil : .png), "\(host)")
          }
          #expect(proxy.counters.connections == 0)
          #expect(ProcessInfo.processInfo.environment["no_proxy"]?.hasPrefix("example.org,") == true)
        }
      }
    }
  }
#endif
