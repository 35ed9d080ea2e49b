import Foundation
import Testing

@Suite struct ViewSourcesTests {
  @Test func theViewsReachThreadsAndClocksThroughTheSeamOnly() throws {
    let folder = packageRoot.appending(path: "Sources/FetcherApp/Views")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(files.count >= 3)
    let forbidden = /\bDispatchQueue\b|\bTask\s*[({.<]|\bThread\b|\bDate\s*\(|\bsleep\b|@MainActor/
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      let code = text.split(separator: "\n").map { $0.replacing(/\/\/.*/, with: "") }
      for line in code {
        #expect(line.firstMatch(of: forbidden) == nil, "\(file.lastPathComponent): \(line)")
      }
    }
  }
}
