import FetcherModel
import Foundation
import Testing
import TutorialApps

@Suite struct SlideshowTests {
  private func read(_ json: String) throws(ServiceError) -> Slideshow { try Slideshow(data: Data(json.utf8)) }

  @Test("A slide may have a numeric id, a text id, or none, and its title may be missing")
  func tolerant() throws {
    let slideshow = try read(
      """
      {"title": "Holiday Slideshow", "slides": [
        {"id": 10, "file": "sunset-10.jpeg"},
        {"id": "b", "title": "Sea", "file": "sea/wave.png", "description": "salt", "isFavorite": true, "more": 1},
        {"title": "No id", "file": "https://example.org/x.gif"}, {"id": null}]}
      """)
    #expect(slideshow.title == "Holiday Slideshow")
    #expect(slideshow.slides.map(\.id) == ["10", "b", "slide 3", "slide 4"])
    #expect(slideshow.slides.map(\.title) == ["sunset-10.jpeg", "Sea", "No id", "slide 4"])
    #expect(
      slideshow.slides.map(\.imgFileName) == ["sunset-10.jpeg", "sea/wave.png", "https://example.org/x.gif", nil])
    #expect(slideshow.slides.map(\.description) == [nil, "salt", nil, nil])
    #expect(slideshow.slides.map(\.isFavorite) == [false, true, false, false])
  }

  @Test("The title of a slideshow may be missing")
  func noTitle() throws { #expect(try read(#"{"slides": []}"#).title == "") }

  @Test(
    "The error for an invalid value names its path",
    arguments: [
      (#"{"slides": [{"id": 1}, {"id": [1]}]}"#, "slides[1].id"), (#"{"slides": [{"id": true}]}"#, "slides[0].id"),
      (#"{"slides": [{"file": 7}]}"#, "slides[0].file"), (#"{"slides": [{"title": 7}]}"#, "slides[0].title"),
      (#"{"slides": ["a"]}"#, "slides[0]"), (#"{"slides": {}}"#, "slides"), (#"{"title": "t"}"#, "slides"),
      (#"{"slides": [{"file": "../secret.png"}]}"#, "slides[0].file"),
      (#"{"slides": [{"file": "a.png"}, {"file": "a/%2e%2e/b.png"}]}"#, "slides[1].file"),
      (#"{"slides": [{"file": "file:///etc/passwd"}]}"#, "slides[0].file"), ("[]", ""), ("{", ""), ("", ""),
      (#"{"slides": [{"id": 7}, {}, {"id": "7"}]}"#, "slides[2].id"),
    ])
  func errors(json: String, path: String) { expectError(at: path, in: json) }

  @Test(
    "The error for a text of more than 4096 bytes names its path", arguments: ["id", "title", "file", "description"])
  func longText(key: String) {
    expectError(at: "slides[1].\(key)", in: #"{"slides": [{}, {"\#(key)": "\#(Self.long)"}]}"#)
    expectError(at: "title", in: #"{"title": "\#(Self.long)", "slides": []}"#)
  }

  private static let long = String(repeating: "x", count: 4097)

  private func expectError(at path: String, in json: String) {
    let error = #expect(throws: ServiceError.self) { try read(json) }
    guard case .catalog(path, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.isEmpty)
  }
}
