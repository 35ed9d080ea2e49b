import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import Testing

#if os(Linux)
  extension OwnProcesses {
    /// A body that the server compresses although the client did not request it.
    @Suite(.enabled(if: !ProcessCount.isSanitized)) struct PackedBodyTests {
      @Test(
        "A compressed body that exceeds the limit when it is decompressed uses little memory",
        arguments: ["dataTask", "downloadTask", "async"])
      func bomb(strategy: String) async {
        await #expect(processExitsWith: .success) { [strategy] in
          let bomb = OriginResponse(headers: [("Content-Encoding", "gzip")], body: .data(zeros(mebibytes: 256)))
          let workbench = try Workbench(
            StrategyName(strategy), [OriginRoute(path: "/bomb", bomb)], limits: FetchLimits(maximumBytes: 1 << 20))
          _ = await workbench.fetch()
          let before = ProcessCount.peakMemory
          let (image, _) = await workbench.fetch("/bomb")
          #expect(image.state == .failed(.tooLarge))
          // The connection closes shortly after the fetch has failed.
          await wait(workbench.environment) { workbench.origin.counters.open <= 1 }
          let growth = (ProcessCount.peakMemory - before) >> 20
          #expect(growth < 64, "\(growth) MiB")
        }
      }
    }
  }

  /// Returns `mebibytes` MiB of zeros in gzip format. The checksum at the end is wrong, so a strategy that
  /// decompresses the whole body cannot succeed.
  private func zeros(mebibytes: Int) -> Data {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var bits = 0
    var count = 0
    func put(_ value: Int, _ length: Int) {
      bits |= value << count
      count += length
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }
    // One block with the fixed Huffman code: a zero, then copies of 258 bytes at distance 1.
    put(0b011, 3)
    put(0b0000_1100, 8)
    for _ in 0..<(mebibytes << 20) / 258 {
      put(0b1010_0011, 8)
      put(0, 5)
    }
    put(0, 7)
    put(0, 7)
    return Data(bytes + Array(repeating: 0, count: 8))
  }
#endif
