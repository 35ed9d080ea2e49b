import FetcherModel
import Foundation
import ModelFixtures
import Testing
import TutorialApps

@Suite struct CatalogTests {
  private func read(_ json: String) throws(ServiceError) -> Catalog {
    try Catalog(data: Data(json.utf8), name: "list.json")
  }

  @Test("A catalog reads the tutorial's slideshow") func theSlideshowOfTheSeedIsRead() throws {
    let catalog = try read(
      """
      {"title": "Holidays", "author": "unknown key", "slides": [
        {"id": 10, "title": "Sunset", "file": "sunset-10.jpeg"},
        {"id": "b", "file": "sea/wave.png", "more": [1]},
        {"title": "No id", "file": "x.gif"}]}
      """)
    #expect(catalog.title == "Holidays")
    #expect(catalog.entries.map(\.id) == ["10", "b", nil])
    #expect(catalog.entries.map(\.title) == ["Sunset", "wave.png", "No id"])
    #expect(catalog.entries.map(\.file) == ["sunset-10.jpeg", "sea/wave.png", "x.gif"])
  }

  @Test(
    "The error for an invalid value names its path",
    arguments: [
      (#"{"slides": [{"file": "a"}, {"file": "b"}, {"file": "c"}, {"id": 4}]}"#, "slides[3].file"),
      (#"{"photos": [{"url": 7}]}"#, "photos[0].url"),
      (#"{"slides": [{"file": "a", "id": true}]}"#, "slides[0].id"),
      (#"{"slides": [{"file": "a", "id": [1]}]}"#, "slides[0].id"),
      (#"{"slides": [{"file": "a", "title": 3}]}"#, "slides[0].title"),
      (#"{"slides": ["a"]}"#, "slides[0]"),
      (#"{"slides": {}}"#, "slides"),
      (#"{"title": 1, "slides": []}"#, "title"),
      (#"{"title": "t"}"#, "slides"),
      (#"{"slides": [{"file": ""}]}"#, "slides[0].file"),
      (#"{"slides": [{"file": "../secret.png"}]}"#, "slides[0].file"),
      (#"{"slides": [{"file": "a/%2e%2e/%2e%2e/b.png"}]}"#, "slides[0].file"),
      (#"{"slides": [{"file": "a\\..\\b.png"}]}"#, "slides[0].file"),
      (#"{"slides": [{"file": "/etc/passwd"}]}"#, "slides[0].file"),
      (#"{"slides": [{"file": "//evil.example/a.png"}]}"#, "slides[0].file"),
      (#"{"slides": [{"file": "file:///etc/passwd"}]}"#, "slides[0].file"),
      (#"{"slides": [{"file": "FTP://host/a.png"}]}"#, "slides[0].file"),
      (#"{"slides": [{"file": "javascript:alert(1)"}]}"#, "slides[0].file"),
      ("[]", ""), ("{", ""), ("", ""),
    ])
  func anErrorNamesThePathOfTheWrongValue(json: String, path: String) {
    let error = #expect(throws: ServiceError.self) { try read(json) }
    guard case .catalog(let found, let reason) = error else {
      Issue.record("\(String(describing: error)) is not a catalog error")
      return
    }
    #expect(found == path)
    #expect(!reason.isEmpty)
  }

  @Test(
    "A catalog and a slideshow accept the same identifiers",
    arguments: [
      ("1", "1"), ("1.0", "1"), ("-7", "-7"), ("123456789012345678", "123456789012345678"), (#""b""#, "b"),
      ("1.5", nil),
      ("123456789012345678901234567890", nil), ("1e300", nil), ("true", nil), ("[1]", nil), ("{}", nil),
    ] as [(String, String?)])
  func identifiers(json: String, id: String?) {
    let data = Data(#"{"slides": [{"file": "a", "id": \#(json)}]}"#.utf8)
    let catalog = Result { () throws(ServiceError) in try Catalog(data: data, name: "x").entries.map(\.id) }
    let slideshow = Result { () throws(ServiceError) in try Slideshow(data: data).slides.map(\.id) }
    #expect((try? catalog.get()) == id.map { [$0] })
    #expect((try? slideshow.get()) == id.map { [$0] })
    guard id == nil, case .failure(let error) = catalog else { return }
    #expect(slideshow == .failure(error))
    #expect(error.description.contains("slides[0].id"))
  }

  @Test("The error for a missing file names the file") func aMissingFileIsACatalogErrorThatNamesIt() {
    let error = #expect(throws: ServiceError.self) {
      try Catalog(contentsOf: URL(fileURLWithPath: "/nowhere/list.json"))
    }
    #expect(error?.description.contains("/nowhere/list.json") == true)
  }

  @Test("The address of an image is below the base URL, whether or not the base ends in a slash")
  func imagesLieBelowTheBaseWithOrWithoutASlash() throws {
    let catalog = try read(#"{"slides": [{"file": "a b.png"}, {"file": "https://example.org/c.png"}]}"#)
    let environment = FetchEnvironment.held(HeldStrategy())
    for base in ["http://localhost:1/pictures", "http://localhost:1/pictures/"] {
      let images = catalog.images(base: try #require(URL(string: base)), in: environment)
      #expect(images.map(\.url) == ["http://localhost:1/pictures/a%20b.png", "https://example.org/c.png"])
      #expect(images.map(\.name) == ["a b.png", "c.png"])
      #expect(images.allSatisfy { $0.state == .idle })
    }
  }
}
