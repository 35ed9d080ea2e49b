import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import Testing

#if os(Linux)
  extension OwnProcesses {
    /// A body that a server packs although nobody asked for that.
    @Suite(.enabled(if: !ProcessCount.isSanitized)) struct PackedBodyTests {
      @Test(
        "A packed body that exceeds the limit uses little memory",
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
          // The network ends a moment later.
          await wait(workbench.environment) { workbench.origin.counters.open <= 1 }
          let growth = (ProcessCount.peakMemory - before) >> 20
          #expect(growth < 64, "\(growth) MiB")
        }
      }
    }
  }

  /// So many zeros, by gzip. The sum at the end is wrong: who gets there has held them all.
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
    // One block of the fixed code: a zero, then copies of the 258 bytes before, one byte back.
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
