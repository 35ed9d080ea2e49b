import Foundation
import ModelFixtures
import Testing

@testable import FetcherModel

@Suite struct PictureTests {
  @Test("The bytes determine the format and the size of a picture", arguments: Sample.all)
  func formatAndSizeAreReadFromTheBytes(sample: Sample) throws {
    let picture = try Picture(validating: sample.bytes)
    #expect(picture.format == sample.format)
    #expect(picture.width == 7)
    #expect(picture.height == 5)
    #expect(picture.bytes == sample.bytes)
    #expect(!picture.isPlaceholder)
  }

  @Test("A picture that is cut anywhere before its end marker is reported as truncated", arguments: Sample.all)
  func prefixes(sample: Sample) {
    let endMarker = [.jpeg: sample.kind == "jpeg" ? 2 : 0, .gif: 1][sample.format, default: 0]
    for length in 1..<sample.bytes.count - endMarker {
      #expect(throws: FetchError.truncated, "\(length) of \(sample.bytes.count) bytes") {
        try Picture(validating: sample.bytes.prefix(length))
      }
    }
  }

  @Test("Bytes after the end of a picture are ignored", arguments: Sample.all)
  func bytesAfterTheEndAreNoHarm(sample: Sample) throws {
    _ = try Picture(validating: sample.bytes + Data("more".utf8))
  }

  @Test("A picture can be read from a slice of larger data", arguments: Sample.all)
  func aSliceOfLargerDataIsRead(sample: Sample) throws {
    let slice = (Data(repeating: 0, count: 5) + sample.bytes).dropFirst(5)
    #expect(try Picture(validating: slice).width == 7)
  }

  @Test("Validating a damaged picture never traps", arguments: Sample.all)
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
    "A WebP file without a frame is not an image",
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
    "A WebP file with a canvas has the canvas's size if a frame follows",
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

  @Test("Deeply nested frames are rejected without overflowing the stack")
  func nestedFrames() {
    var inner = Self.lossless
    for _ in 0..<2000 {
      inner = Self.canvas + Self.chunk("ANMF", Array(repeating: 0, count: 16) + inner)
    }
    #expect(throws: FetchError.notAnImage) { try Picture(validating: Self.webP(inner)) }
  }

  @Test("A GIF or PNG file whose frame has no data is rejected")
  func emptyFrames() throws {
    let gif = Sample.gif.bytes.prefix(36) + Data([0, 0x3B])
    #expect(throws: FetchError.notAnImage) { try Picture(validating: gif) }
    let png = Sample.png.bytes
    let empty =
      png.prefix(33) + Data([0, 0, 0, 0]) + Data("IDAT".utf8) + Data([0x35, 0xAF, 0x06, 0x1E]) + png.suffix(12)
    #expect(throws: FetchError.notAnImage) { try Picture(validating: empty) }
  }

  @Test("A PNG file with one wrong byte is not an image")
  func aPNGWithOneWrongByteIsNoImage() {
    var bytes = Sample.png.bytes
    bytes[20] ^= 1
    #expect(throws: FetchError.notAnImage) { try Picture(validating: bytes) }
  }

  @Test(
    "Bytes in other formats are not an image",
    arguments: ["<!DOCTYPE html><html></html>", "{}", "P6 1 1 255", "RIFF....WAVEfmt ", "GIF88a......"])
  func otherBytesAreNoImage(text: String) {
    #expect(throws: FetchError.notAnImage) { try Picture(validating: Data(text.utf8)) }
  }

  @Test("Empty data is rejected as an empty body")
  func noBytesAreAnEmptyBody() {
    #expect(throws: FetchError.emptyBody) { try Picture(validating: Data()) }
  }

  /// Files that browsers and decoders display although they violate their format.
  static let odd: [(kind: String, format: ImageFormat, width: Int, height: Int, base64: String)] = [
    (
      "GIF without a trailer", .gif, 20, 10,
      """
      R0lGODlhFAAKAIAAAAAAAAAAACH/C05FVFNDQVBFMi4wAwEAAAAh+QQAHgAAACwAAAAAFAAKAAAIGQABCBxIsKDBgwgTKlzIsKHD\
      hxAjSpyoMCAA
      """
    ),
    (
      "GIF with a screen of 0 x 0", .gif, 20, 10,
      """
      R0lGODlhAAAAAIAAAAAAAAAAACH/C05FVFNDQVBFMi4wAwEAAAAh+QQAHgAAACwAAAAAFAAKAAAIGQABCBxIsKDBgwgTKlzIsKHD\
      hxAjSpyoMCAAOw==
      """
    ),
    (
      "JPEG without an end marker", .jpeg, 40, 30,
      """
      /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAx\
      NDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy\
      MjIyMjIyMjL/wAARCAAeACgDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF\
      BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW\
      V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi\
      4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC\
      AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm\
      Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq\
      8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDyD+xf9mj+xf8AZr0X+xf9mj+xf9mgDzr+xf8AZo/sX/Zr0X+xf9mj+xf9mgDzr+xf9miv\
      Rf7F/wBmigD0T+xf9mj+xf8AZr0H+y4/aj+y4/agDz7+xf8AZo/sX/Zr0H+y4/aj+y4/agDz7+xf9mivQf7Lj9qKAA==
      """
    ),
    (
      "JPEG with stray bytes before a marker", .jpeg, 40, 30,
      """
      /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAx\
      NDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy\
      MjIyMjIyMjL/wAARCAAeACgDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF\
      BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW\
      V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi\
      4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC\
      AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm\
      Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq\
      8vP09fb3+Pn6AAD/2gAMAwEAAhEDEQA/APIP7F/2aP7F/wBmvRf7F/2aP7F/2aAPOv7F/wBmj+xf9mvRf7F/2aP7F/2aAPOv7F/2\
      aK9F/sX/AGaKAPRP7F/2aP7F/wBmvQf7Lj9qP7Lj9qAPPv7F/wBmj+xf9mvQf7Lj9qP7Lj9qAPPv7F/2aK9B/suP2ooA/9k=
      """
    ),
    (
      "PNG in Apple's variant", .png, 40, 30,
      """
      iVBORw0KGgoAAAAEQ2dCSVAAIAIr1bN/AAAADUlIRFIAAAAoAAAAHggCAAAA0b/LigAAAERJREFUeJzt0MEJAEAMAsEL+DD9l5vP\
      daGQaAPDWgCeYyDpgbvbA6dYBqd4P3zv6hTL4BTL4BTL4BTvh+9dfa64ZsYCf84hBj0NNYYVAAAAAElFTkSuQmCC
      """
    ),
    (
      "JPEG with EXIF orientation 6", .jpeg, 40, 30,
      """
      /9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDAAgGBgcGBQgHBwcJCQgK\
      DBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIy\
      MjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCAAeACgDASIAAhEBAxEB/8QAHwAAAQUBAQEB\
      AQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk\
      M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKj\
      pKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAA\
      AAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl\
      8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmq\
      srO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDyD+xf9mj+xf8AZr0X+xf9\
      mj+xf9mgDzr+xf8AZo/sX/Zr0X+xf9mj+xf9mgDzr+xf9mivRf7F/wBmigD0T+xf9mj+xf8AZr0H+y4/aj+y4/agDz7+xf8AZo/s\
      X/Zr0H+y4/aj+y4/agDz7+xf9mivQf7Lj9qKAP/Z
      """
    ),
  ]

  @Test("Validation accepts files that violate their format if decoders display them", arguments: odd.indices)
  func oddFiles(index: Int) throws {
    let odd = Self.odd[index]
    let picture = try Picture(validating: try #require(Data(base64Encoded: odd.base64)))
    #expect(picture.format == odd.format, "\(odd.kind)")
    #expect(picture.width == odd.width && picture.height == odd.height, "\(odd.kind)")
  }

  @Test("A JPEG without its end marker is complete only if it has all of its blocks", arguments: unmarked.indices)
  func unmarkedScans(index: Int) throws {
    let bytes = try #require(Data(base64Encoded: Self.unmarked[index]))
    #expect(bytes.suffix(2) == Data([0xFF, 0xD9]))
    #expect(try Picture(validating: bytes.dropLast(2)).width == 19)
    // Padding can fill a whole byte, so the last block ends in one of the last two bytes.
    for length in 1..<bytes.count - 4 {
      #expect(throws: FetchError.truncated, "\(length) of \(bytes.count) bytes") {
        try Picture(validating: bytes.prefix(length))
      }
    }
  }

  /// JPEG files of 19 x 21 pixels from another encoder. Some are subsampled, have restart markers, or are gray.
  static let unmarked = [
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAGRFS1hLP2RYUVhxamR3lvqjloqKlv/b57X6////////////////////////////////\
    ////////////////////2wBDAWpxcZaDlv+jo///////////////////////////////////////////////////////////////\
    ////////////wAARCAAVABMDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF\
    BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW\
    V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi\
    4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC\
    AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm\
    Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq\
    8vP09fb3+Pn6/9oADAMBAAIRAxEAPwAIzwRwP8/5/wD1UueoJPr9aTBJ4YDPb/P/AOugcEYB/D/PNAbh5gXgiil+mKKLf1/TF7v9\
    IaThcj07+9PIxkD60UUf1+QMVUBGTRRRUXEf/9k=
    """,
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAGRFS1hLP2RYUVhxamR3lvqjloqKlv/b57X6////////////////////////////////\
    ////////////////////2wBDAWpxcZaDlv+jo///////////////////////////////////////////////////////////////\
    ////////////wAARCAAVABMDAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF\
    BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW\
    V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi\
    4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC\
    AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm\
    Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq\
    8vP09fb3+Pn6/90ABAAC/9oADAMBAAIRAxEAPwA9CDR6gGTjGce/enb+v68wR//QXYTz/n+VLULiZ7DPFN7B6H//0TpzjGBRvoK/\
    QcF45FJ7/wDABvsvyP/SAMrxxwTTW4P/AC/EMYGPaha/gTzH/9NCmTmhytoF7H//2Q==
    """,
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAGRFS1hLP2RYUVhxamR3lvqjloqKlv/b57X6////////////////////////////////\
    ////////////////////2wBDAWpxcZaDlv+jo///////////////////////////////////////////////////////////////\
    ////////////wAARCAAVABMDASEAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xAAhEAEAAgEDBAMAAAAAAAAAAAABABEh\
    AjFBUZHR8CKhwf/EABYBAQEBAAAAAAAAAAAAAAAAAAEAAv/EACARAAEDAgcAAAAAAAAAAAAAAAABEfBhgSEiMVFxodH/2gAMAwEA\
    AhEDEQA/ADsB13i8YoZCG157kQZKhjSXI3sv7KU2Lj337mgL8eUGIZtuybiXIZw7HmpDVelxjp28xY0xXQLkFiSTTwGP/9k=
    """,
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAGRFS1hLP2RYUVhxamR3lvqjloqKlv/b57X6////////////////////////////////\
    ////////////////////wAALCAAVABMBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF\
    BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW\
    V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi\
    4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AFAyCN3PT+tIOD3Ax/nt/nk1GxO48f8Ajv8A9ankncSPXgD9Pf0/zxSse+Qe+Pr6\
    fp/OhVBAO8rnnHFKOmP9rb+nX8qQNwDjtnH409Cdo6enT/69f//Z
    """,
  ]

  @Test("After a failed response, a GIF is complete only with its trailer")
  func cutFrames() throws {
    let gif = Sample.gif.bytes
    #expect(try Picture(validating: gif, isCutPossible: true).width == 7)
    for cut in [gif.dropLast(), gif.dropLast() + Data([0])] {
      #expect(try Picture(validating: cut).width == 7)
      #expect(throws: FetchError.self) { try Picture(validating: cut, isCutPossible: true) }
    }
  }

  @Test("A scan that announces 255 components takes time in proportion to its content")
  func announcedComponents() throws {
    func time(_ unit: [UInt8]) -> Duration {
      let bytes = Sample.jpeg.bytes.dropLast(2) + Data((0..<20_000).flatMap { _ in unit })
      let start = ProcessCount.threadTime
      _ = try? Picture(validating: bytes)
      return ProcessCount.threadTime - start
    }
    // An earlier version took 200 times as long.
    #expect(time([0xFF, 0xDA, 0, 3, 0xFF, 0]) < time([0xFF, 0xDA, 0, 3, 0x00, 0]) * 20 + .milliseconds(10))
  }

  @Test("Stray bytes without a marker after them are not an image")
  func strayBytes() throws {
    let bytes = Sample.jpeg.bytes
    #expect(try Picture(validating: bytes.prefix(20) + Data([1, 2, 0xFF, 0]) + bytes.dropFirst(20)).width == 7)
    for stray in [Data("<html>".utf8), Data([0xFF, 0, 0xFF, 0, 7])] {
      #expect(throws: FetchError.notAnImage) { try Picture(validating: Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 2]) + stray) }
    }
  }

  @Test("Sizes beyond the limits of the formats and decoders are rejected")
  func sizes() {
    func png(_ width: UInt32, _ height: UInt32) -> Data {
      let size = [width, height].flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
      let header = Data("IHDR".utf8) + Data(size) + Data([8, 2, 0, 0, 0])
      let sum = header.withUnsafeBytes { CRC32.of($0) }
      let checksum = (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
      return Sample.png.bytes.prefix(12) + header + Data(checksum) + Sample.png.bytes.dropFirst(33)
    }
    #expect(throws: Never.self) { try Picture(validating: png(1 << 14, 1 << 14)) }
    #expect(throws: FetchError.tooManyPixels) { try Picture(validating: png(1 << 14, 1 << 14 + 1)) }
    #expect(throws: FetchError.tooManyPixels) { try Picture(validating: png(.max >> 1, .max >> 1)) }
    #expect(throws: FetchError.notAnImage) { try Picture(validating: png(.max, .max)) }
    #expect(throws: FetchError.notAnImage) { try Picture(validating: png(1, 1 << 31)) }
  }

  @Test("The placeholder is the picture named photoalbum")
  func thePlaceholderIsCalledPhotoalbum() throws {
    #expect(Picture.placeholder.name == "photoalbum")
    #expect(Picture.placeholder.isPlaceholder)
    // The same bytes from the network are an ordinary picture.
    #expect(try !Picture(validating: Picture.placeholder.bytes).isPlaceholder)
  }
}
