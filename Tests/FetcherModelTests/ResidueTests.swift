import FetcherModel
import Foundation
import OriginServer
import Testing

#if os(Linux)
  extension NetworkSuite {
    @Suite struct ResidueTests {
      private func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? -1
      }

      @Test(arguments: Laboratory.strategies)
      func aThousandFetchesLeaveNoFilesThreadsOrDescriptors(strategy: String) async throws {
        let laboratory = try Laboratory(
          strategy, [OriginRoute(path: "/bad", OriginResponse(status: 404, body: .bytes(5000)))])
        func round(_ number: Int, _ count: Int) async {
          let images = (0..<count).map { index in
            laboratory.image("\(index % 10 == 3 ? "/bad" : "/a.png")?\(number)-\(index)")
          }
          let events = images.map { EventRecorder($0, in: laboratory.environment) }
          for (index, image) in images.enumerated() {
            _ = image.image
            if index % 10 == 7 { image.cancel() }
          }
          for recorder in events { await recorder.ended() }
        }
        await round(0, 100)
        let before = (threads: count("task"), files: count("fd"))
        for number in 1...10 { await round(number, 100) }
        await settle(laboratory.environment)
        // Pools keep a few idle threads and connections; a leak would be hundreds.
        #expect(count("task") <= before.threads + 20)
        #expect(count("fd") <= before.files + 30)
        #expect(laboratory.environment.requestCount == 0)
        laboratory.environment.finishAndSweep()
        #expect(Laboratory.temporaryFiles == [])
      }
    }
  }
#endif
