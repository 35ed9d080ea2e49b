import PlainText
import Testing

@Suite struct UTF8StringTests {
  @Test("Canonically equivalent texts with different bytes are unequal and are sorted by their bytes")
  func spellings() {
    let texts = ["caf\u{E9}", "cafe\u{301}"]
    #expect(texts[0] == texts[1])
    let keys = texts.map { UTF8String($0) }
    #expect(keys[0] != keys[1])
    #expect(Set(keys).count == 2)
    #expect(keys.sorted().map(\.description.utf8.count) == [6, 5])
    #expect(UTF8String(texts[0]) == keys[0])
  }
}
