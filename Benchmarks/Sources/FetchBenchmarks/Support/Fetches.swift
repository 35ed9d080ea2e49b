import AsyncHTTPClient
import EventBus
import FetcherModel
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The ways to fetch that are measured. Each ends the program when it gets anything but the whole body.
enum Fetches {
  /// A strategy, without the model.
  static func strategy(_ name: String, _ address: String) -> ClosedLoad.Fetch {
    guard let strategy = StrategyRegistry.standard()[name] else { preconditionFailure("There is no strategy \(name).") }
    return { number, done in
      let request = FetchRequest(url: url(address, number), headers: [("Accept-Encoding", "identity")])
      _ = strategy.fetch(request) { result in
        guard case .success(let body) = result, !body.bytes.isEmpty else { preconditionFailure("\(name): \(result)") }
        done()
      }
    }
  }

  /// Images of the model: each is read once, and its event delivered by the bus to a subscriber of that image.
  static func model(_ strategy: String, _ address: String) -> ClosedLoad.Fetch {
    let environment: FetchEnvironment
    do { environment = try FetchEnvironment(strategy: strategy) } catch { preconditionFailure("\(error)") }
    return { number, done in
      let image = IFImage("\(number)", "\(address)?\(number)", in: environment)
      let view = Locked<Subscription?>(nil)
      // The subscription keeps the image until its event has come.
      let subscription = environment.bus.subscribe(to: ImageFetched.self, key: image.id) { _ in
        precondition(!image.image.isPlaceholder, "The picture is missing.")
        view.withLock { $0.take() }?.cancel()
        done()
      }
      view.withLock { $0 = subscription }
      _ = image.image
    }
  }

  /// AsyncHTTPClient with as many connections.
  static func asyncHTTPClient(_ address: String) -> ClosedLoad.Fetch {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = ClosedLoad.inFlight
    configuration.httpVersion = .http1Only
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    held.withLock { $0.append(client) }
    return { number, done in
      client.get(url: "\(address)?\(number)").whenComplete { result in
        guard case .success(let response) = result, let body = response.body, body.readableBytes > 0 else {
          preconditionFailure("AsyncHTTPClient: \(result)")
        }
        done()
      }
    }
  }

  /// They must be shut down or never released; they last as long as the program.
  private static let held = Locked<[HTTPClient]>([])

  static func url(_ address: String, _ number: Int) -> URL {
    guard let url = URL(string: "\(address)?\(number)") else { preconditionFailure("\(address) is no address.") }
    return url
  }
}
