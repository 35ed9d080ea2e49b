import FetcherModel
import Foundation
import Testing

@Suite struct PictureTests {
  @Test(arguments: Sample.all)
  func formatAndSizeAreReadFromTheBytes(sample: Sample) throws {
    let picture = try Picture(validating: sample.bytes)
    #expect(picture.format == sample.format)
    #expect(picture.width == 7)
    #expect(picture.height == 5)
    #expect(picture.bytes == sample.bytes)
    #expect(!picture.isPlaceholder)
  }

  @Test(arguments: Sample.all)
  func everyProperPrefixIsTruncated(sample: Sample) {
    for length in 1..<sample.bytes.count {
      #expect(throws: FetchError.truncated, "\(length) of \(sample.bytes.count) bytes") {
        try Picture(validating: sample.bytes.prefix(length))
      }
    }
  }

  @Test(arguments: Sample.all)
  func bytesAfterTheEndAreNoHarm(sample: Sample) throws {
    _ = try Picture(validating: sample.bytes + Data("more".utf8))
  }

  @Test(arguments: Sample.all)
  func aSliceOfLargerDataIsRead(sample: Sample) throws {
    let slice = (Data(repeating: 0, count: 5) + sample.bytes).dropFirst(5)
    #expect(try Picture(validating: slice).width == 7)
  }

  @Test(arguments: Sample.all)
  func damageNeverTraps(sample: Sample) {
    for index in sample.bytes.indices {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var bytes = sample.bytes
        bytes[index] = value
        _ = try? Picture(validating: bytes)
      }
    }
  }

  private static func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    return Array(type.utf8) + length + bytes + (bytes.count % 2 == 1 ? [0] : [])
  }

  private static func webP(_ chunks: [UInt8]...) -> Data {
    Data(chunk("RIFF", Array("WEBP".utf8) + chunks.flatMap(\.self)))
  }

  private static let canvas = chunk("VP8X", [0, 0, 0, 0, 99, 0, 0, 49, 0, 0])
  private static let lossless = chunk("VP8L", Array(Sample.losslessWebP.bytes[20..<37]))
  private static let lossy = chunk("VP8 ", Array(Sample.lossyWebP.bytes[20...]))

  @Test(
    "A WebP without a frame is no image",
    arguments: [
      webP(canvas), webP(canvas, chunk("EXIF", [1, 2, 3])), webP(chunk("VP8L", [0x2F, 6, 0, 1, 0])),
      webP(chunk("VP8 ", [0x90, 1, 0, 0x9D, 1, 0x2A, 7, 0, 5, 0])),
      webP(canvas, chunk("ANMF", Array(repeating: 0, count: 16))),
      webP(canvas, chunk("VP8L", [])), webP(chunk("ANMF", Array(repeating: 0, count: 16) + lossless)), webP(),
    ])
  func webPWithoutFrame(bytes: Data) {
    #expect(throws: FetchError.notAnImage) { try Picture(validating: bytes) }
  }

  @Test(
    "A WebP with a canvas has its size, where a frame follows",
    arguments: [
      webP(canvas, lossless), webP(canvas, chunk("ALPH", [0, 1, 2]), lossy),
      webP(canvas, chunk("ANIM", [0, 0, 0, 0, 0, 0]), chunk("ANMF", Array(repeating: 0, count: 16) + lossless)),
    ])
  func webPWithCanvas(bytes: Data) throws {
    let picture = try Picture(validating: bytes)
    #expect(picture.width == 100)
    #expect(picture.height == 50)
    for length in 1..<bytes.count {
      #expect(throws: FetchError.truncated) { try Picture(validating: bytes.prefix(length)) }
    }
  }

  @Test("Deeply nested frames are rejected without stack exhaustion")
  func nestedFrames() {
    var inner = Self.lossless
    for _ in 0..<2000 {
      inner = Self.canvas + Self.chunk("ANMF", Array(repeating: 0, count: 16) + inner)
    }
    #expect(throws: FetchError.notAnImage) { try Picture(validating: Self.webP(inner)) }
  }

  @Test("A GIF or a PNG whose frame has no data is rejected")
  func emptyFrames() throws {
    let gif = Sample.gif.bytes.prefix(36) + Data([0, 0x3B])
    #expect(throws: FetchError.notAnImage) { try Picture(validating: gif) }
    let png = Sample.png.bytes
    let empty =
      png.prefix(33) + Data([0, 0, 0, 0]) + Data("IDAT".utf8) + Data([0x35, 0xAF, 0x06, 0x1E]) + png.suffix(12)
    #expect(throws: FetchError.notAnImage) { try Picture(validating: empty) }
  }

  @Test func aPNGWithOneWrongByteIsNoImage() {
    var bytes = Sample.png.bytes
    bytes[20] ^= 1
    #expect(throws: FetchError.notAnImage) { try Picture(validating: bytes) }
  }

  @Test(arguments: ["<!DOCTYPE html><html></html>", "{}", "P6 1 1 255", "RIFF....WAVEfmt ", "GIF88a......"])
  func otherBytesAreNoImage(text: String) {
    #expect(throws: FetchError.notAnImage) { try Picture(validating: Data(text.utf8)) }
  }

  @Test func noBytesAreAnEmptyBody() {
    #expect(throws: FetchError.emptyBody) { try Picture(validating: Data()) }
  }

  @Test func thePlaceholderIsCalledPhotoalbum() throws {
    #expect(Picture.placeholder.name == "photoalbum")
    #expect(Picture.placeholder.isPlaceholder)
    // The same bytes from the network are a picture like any other.
    #expect(try !Picture(validating: Picture.placeholder.bytes).isPlaceholder)
  }
}
