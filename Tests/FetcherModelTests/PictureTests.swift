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
