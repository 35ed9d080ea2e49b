import FetcherModel
import Testing

@testable import FetcherApp

@Suite struct FetchProgressTests {
  private func standing(_ count: Int) -> FetchProgress.Standing {
    let environment = FetchEnvironment()
    var standing = FetchProgress.Standing(count: 12)
    standing.downloads = (0..<count).map { number in
      let image = IFImage(name: "http://h/\(number)\u{1B}[2J", url: "http://h/\(number)", in: environment)
      return FetchProgress.Download(
        id: image.id, name: image.name, received: 500_000, expected: number == 0 ? nil : 1_000_000)
    }
    (standing.done, standing.bytes) = (3, 2_500_000)
    return standing
  }

  @Test("The progress display has a line for each picture, then the total bytes, the rate and the time left")
  func lines() {
    let lines = FetchProgress.lines(standing(2), after: 2, width: 80)
    #expect(
      lines == [
        "  http://h/0\u{FFFD}[2J  500.0 kB", "  http://h/1\u{FFFD}[2J  500.0 kB of 1.0 MB  50 %",
        "3 of 12 fetched  3.5 MB  1.8 MB/s  0:05 left",
      ])
  }

  @Test("For many pictures, the progress display has few lines, and no line is wider than the terminal")
  func small() {
    let lines = FetchProgress.lines(standing(20), after: 2, width: 30)
    #expect(lines.count == 8)
    #expect(lines[6] == "  and 14 more")
    #expect(lines.allSatisfy { $0.count < 30 })
  }

  @Test("The progress display omits the time left until bytes have arrived")
  func unknown() {
    #expect(FetchProgress.lines(.init(count: 5), after: 0.1, width: 80) == ["0 of 5 fetched  0 B"])
  }
}
