/// The real network, built on Foundation. Each strategy's file extends it with that strategy's network
/// call.
///
/// On Linux, Foundation uses the proxy of the process's environment, for example `http_proxy`. A request to this machine
/// that the proxy would receive fails with `transport(306)`, unless `no_proxy` contains the host. Set `no_proxy` before
/// the process starts threads.
public struct SystemLoader: NetworkLoader {
  /// The shared loader of this process.
  public static let shared = SystemLoader()

  private init() {}
}
