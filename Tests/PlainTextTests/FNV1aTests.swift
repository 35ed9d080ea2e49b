import PlainText
import Testing

@Suite struct FNV1aTests {
  @Test(
    "The hash of a text matches the reference value",
    arguments: [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)])
  func hash(_ text: String, _ hash: UInt64) {
    // https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
    #expect(FNV1a.hash(text) == hash)
  }
}
