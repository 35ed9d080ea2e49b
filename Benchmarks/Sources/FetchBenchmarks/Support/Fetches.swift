import EventBus
import FetcherModel
import Foundation
import Harness
import SocketStrategy
import Synchronization

/// The measured ways to fetch. Each ends the process if a fetch fails or its body is empty.
enum Fetches {
  /// The strategies of the model, and `socket`.
  static let strategies: [any FetchStrategy] = {
    let environment = FetchEnvironment()
    environment.register(.socket)
    return environment.strategies
  }()

  /// A strategy, without the model.
  static func strategy(_ name: String, _ address: String) -> ClosedLoad.Fetch {
    guard let strategy = strategies.first(where: { $0.name.description == name }) else {
      fatalError("there is no strategy \(name)")
    }
    return { number, done in
      let request = FetchRequest(url: url(address, number), headers: ["Accept-Encoding": "identity"])
      _ = strategy.fetch(request) { result in
        guard case .success(let body) = result, !body.bytes.isEmpty else { fatalError("\(name): \(result)") }
        done()
      }
    }
  }

  private final class View: Sendable {
    let subscription = Mutex<Subscription?>(nil)
  }

  /// Images of the model. Each image is read once, and the bus delivers its event to a subscriber of that image.
  static func model(_ strategy: String, _ address: String) -> ClosedLoad.Fetch {
    let environment = FetchEnvironment()
    environment.register(.socket)
    do { try environment.select(StrategyName(strategy)) } catch { fatalError("\(error)") }
    return { number, done in
      let image = IFImage(name: "\(number)", url: "\(address)?\(number)", in: environment)
      let view = View()
      // The subscription retains the image until its event arrives.
      let subscription = environment.bus.subscribe(to: ImageFetched.self, key: image.id) { _ in
        require(!image.image.isPlaceholder, "the picture is missing")
        view.subscription.withLock { $0.take() }?.cancel()
        done()
      }
      view.subscription.withLock { $0 = subscription }
      _ = image.image
    }
  }

  static func url(_ address: String, _ number: Int) -> URL {
    guard let url = URL(string: "\(address)?\(number)") else { fatalError("\(address) is not an address") }
    return url
  }
}
