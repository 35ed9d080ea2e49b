import Testing

@testable import PlainText

@Suite struct SpellingTests {
  @Test(arguments: [("fetchh", "fetch"), ("strateges", "strategies"), ("dmeo", "demo"), ("Run", "run")])
  func aSlipIsRecognised(_ word: String, _ meant: String) {
    #expect(Spelling.nearest(to: word, among: ["demo", "fetch", "run", "strategies"]) == meant)
  }

  @Test func aForeignWordIsNotGuessed() {
    #expect(Spelling.nearest(to: "banana", among: ["demo", "fetch", "run", "strategies"]) == nil)
  }

  @Test func neighboursThatChangedPlacesCountOnce() {
    #expect(Spelling.distance("dmeo", "demo") == 1)
    #expect(Spelling.distance("", "abc") == 3)
  }
}
