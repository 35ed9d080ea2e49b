import Bytes
import Testing

@Suite struct NumberTests {
  @Test("The generator gives the numbers of the reference")
  func generator() {
    // https://prng.di.unimi.it/splitmix64.c
    var generator = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test(
    "The hash of a text is that of the reference",
    arguments: [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)])
  func hash(_ text: String, _ hash: UInt64) {
    // https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
    #expect(FNV1a.hash(text) == hash)
  }
}
