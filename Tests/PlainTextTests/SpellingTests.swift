import Testing

@testable import PlainText

@Suite struct SpellingTests {
  @Test(
    "A misspelled word gets the nearest known word as a suggestion",
    arguments: [("fetchh", "fetch"), ("strateges", "strategies"), ("dmeo", "demo"), ("Run", "run")])
  func aSlipIsRecognized(_ word: String, _ meant: String) {
    #expect(Spelling.nearest(to: word, among: ["demo", "fetch", "run", "strategies"]) == meant)
  }

  @Test("A word that resembles no known word gets no suggestion") func aForeignWordIsNotGuessed() {
    #expect(Spelling.nearest(to: "banana", among: ["demo", "fetch", "run", "strategies"]) == nil)
  }

  @Test("A swap of two adjacent letters counts as one edit") func neighborsThatChangedPlacesCountOnce() {
    #expect(Spelling.distance("dmeo", "demo") == 1)
    #expect(Spelling.distance("", "abc") == 3)
  }
}
