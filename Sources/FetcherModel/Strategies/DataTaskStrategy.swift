public import EventBus

/// Fetches with a data task: the body arrives in pieces, on the session's own queue.
public struct DataTaskStrategy: FetchStrategy {
  /// `dataTask`.
  public let name = "dataTask"
  /// Everything: cancel, status, progress, redirects.
  public let capabilities = StrategyCapabilities(
    canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true,
    note: "URLSession data task; the body is collected in memory")
  private let loader: any NetworkLoader

  /// A strategy on the given network.
  public init(loader: any NetworkLoader = FoundationLoader.shared) { self.loader = loader }

  /// Starts a data task. Completes on the session's queue.
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let transfer = Transfer(request)
    transfer.start(completion) { loader.dataTask(request.network(lane: name), delegate: $0) }
    return transfer
  }
}
