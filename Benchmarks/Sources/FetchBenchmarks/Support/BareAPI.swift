import Dispatch
import Foundation
import Harness

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The API behind each strategy in a plain loop: no model, no bus and no limits. It only requires that the body is not empty.
enum BareAPI {
  static func fetch(_ strategy: String, _ address: String) -> ClosedLoad.Fetch {
    switch strategy {
    case "blocking": blocking(address)
    case "dataTask": dataTask(address)
    case "downloadTask": downloadTask(address)
    case "async": async(address)
    // The `socket` strategy has no API behind it.
    default: Fetches.strategy(strategy, address)
    }
  }

  private static func blocking(_ address: String) -> ClosedLoad.Fetch {
    { number, done in
      DispatchQueue.global(qos: .userInitiated).async {
        guard let bytes = try? Data(contentsOf: Fetches.url(address, number)), !bytes.isEmpty else {
          fatalError("a blocking read failed")
        }
        done()
      }
    }
  }

  private static func dataTask(_ address: String) -> ClosedLoad.Fetch {
    let session = session()
    return { number, done in
      session.dataTask(with: request(address, number)) { bytes, _, error in
        require(bytes?.isEmpty == false, "a data task failed: \(String(describing: error))")
        done()
      }.resume()
    }
  }

  private static func downloadTask(_ address: String) -> ClosedLoad.Fetch {
    let session = session()
    return { number, done in
      session.downloadTask(with: request(address, number)) { file, _, error in
        guard let file, let bytes = try? Data(contentsOf: file), !bytes.isEmpty else {
          fatalError("a download failed: \(String(describing: error))")
        }
        try? FileManager.default.removeItem(at: file)
        done()
      }.resume()
    }
  }

  private static func async(_ address: String) -> ClosedLoad.Fetch {
    let session = session()
    return { number, done in
      Task {
        guard let (bytes, _) = try? await session.data(for: request(address, number)), !bytes.isEmpty else {
          fatalError("an async call failed")
        }
        done()
      }
    }
  }

  private static func request(_ address: String, _ number: Int) -> URLRequest {
    var request = URLRequest(url: Fetches.url(address, number))
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    return request
  }

  /// A session with the settings of the strategies.
  private static func session() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpMaximumConnectionsPerHost = ClosedLoad.inFlight
    let operations = OperationQueue()
    operations.maxConcurrentOperationCount = 1
    let queue = DispatchQueue(label: "bare", qos: .userInitiated)
    operations.underlyingQueue = queue
    return URLSession(configuration: configuration, delegate: nil, delegateQueue: operations)
  }
}
