import Scheduling
import Testing

@testable import ScenarioEngine

@Suite struct BodyPiecesTests {
  private func pieces(_ body: BodyPieces) -> [(end: Int, wait: Duration)] {
    var pieces: [(end: Int, wait: Duration)] = []
    while let piece = body.next(after: pieces.last?.end ?? 0) { pieces.append(piece) }
    return pieces
  }

  @Test(
    "A body with a rate arrives in small pieces at that rate",
    arguments: [(12_420, 12_420), (1, 1), (10, 5), (1_000_000, 20_000), (64 << 20, 1 << 30), (3600, 1)])
  func paced(_ count: Int, _ rate: Int) {
    let pieces = pieces(BodyPieces(count: count, rate: rate, size: 16))
    let time = pieces.reduce(Duration.zero) { $0 + $1.wait }
    #expect(pieces.last?.end == count)
    #expect(abs(time.inSeconds - Double(count) / Double(rate)) < 0.000_001)
    #expect(pieces.count < 250)
    #expect(pieces.first.map { $0.wait <= max(.milliseconds(5), .seconds(1.0 / Double(rate))) } == true)
  }

  @Test("A body without a rate arrives at once in at most 64 pieces", arguments: [0, 1, 5000, 120_000, 64 << 20])
  func unpaced(_ count: Int) {
    let pieces = pieces(BodyPieces(count: count, rate: nil, size: 1))
    #expect(pieces.allSatisfy { $0.wait == .zero })
    #expect(pieces.count <= 64)
    #expect((pieces.last?.end ?? 0) == count)
  }
}
