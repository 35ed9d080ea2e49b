import CommandLineTool
import OriginServer

extension CommandContext {
  /// Starts an origin server and stops it when the process ends.
  func startOrigin(
    port: UInt16 = 0, _ content: OriginContent = OriginContent(), policy: OriginPolicy = OriginPolicy()
  ) throws(CommandFailure) -> OriginServer {
    try start({ try OriginServer(port: port, content: content, policy: policy) }, stop: { $0.stop() })
  }
}
