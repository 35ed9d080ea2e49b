public import EventBus

/// Fetches with a data task: the body arrives in pieces, on the session's own queue.
public struct DataTaskStrategy: FetchStrategy {
  public let name = "dataTask"
  public let capabilities = StrategyCapabilities(
    canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true,
    note: "URLSession data task; the body is collected in memory")
  private let loader: any NetworkLoader

  public init(loader: any NetworkLoader = FoundationLoader.shared) { self.loader = loader }

  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let transfer = Transfer(request)
    transfer.start(completion) { loader.dataTask(request.network(lane: name), delegate: $0) }
    return transfer
  }
}
