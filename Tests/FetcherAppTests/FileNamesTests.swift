import FetcherModel
import Foundation
import Testing

@testable import FetcherApp

@Suite struct FileNamesTests {
  private func names(
    _ urls: String..., present: FileNames.Present = .overwrite, in folder: URL = URL(filePath: "/nowhere")
  )
    -> [String]
  {
    FileNames(folder: folder, present: present).plan(urls).map { $0.file(.png) }
  }

  @Test("Control characters in an address do not become part of a file name")
  func controlCharacters() {
    #expect(names("http://h/a%0A%1B%5B31mb%7F%E2%80%AE.png") == ["a__[31mb__.png"])
  }

  @Test("A name of 300 letters is cut before its extension and between letters")
  func longNames() {
    let long = String(repeating: "x", count: 300)
    #expect(names("http://h/\(long).jpeg") == [String(repeating: "x", count: 200) + ".jpeg"])
    let accents = String(repeating: "%C3%A9", count: 150)
    #expect(names("http://h/\(accents)") == [String(repeating: "é", count: 100) + ".png"])
    // The text after the last dot of such a name is not an extension.
    #expect(names("http://h/a.\(long)")[0].utf8.count == 204)
  }

  @Test("File names follow the order of the addresses, whatever files exist")
  func order() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["a.png", "b.webp"] { try Data().write(to: folder.appending(path: name)) }
    let urls = ["http://h/a.png", "http://h/1/b", "http://h/2/a.png", "http://h/c.png"]
    let plan = { FileNames(folder: folder, present: $0).plan(urls).map { $0.file(.png) } }
    #expect(plan(.keepBoth) == ["a-2.png", "b-2.png", "a-3.png", "c.png"])
    #expect(plan(.overwrite) == ["a.png", "b.png", "a-2.png", "c.png"])
    let skipping = FileNames(folder: folder, present: .skip)
    #expect(skipping.plan(urls).map { skipping.existing($0)?.lastPathComponent } == ["a.png", "b.webp", nil, nil])
  }

  @Test("Each address has its own mark, which does not depend on the user in it")
  func marks() {
    let addresses = [
      "http://h/a.gif", "http://h/a.gif?id=1", "http://h/a:/one@2x/p.gif", "http://h/a:/two@2x/p.gif",
      "http://h/p.gif?src=https://alice@img/1", "http://h/p.gif?src=https://bob@img/1",
    ]
    #expect(Set(addresses.map(AddressMark.init)).count == addresses.count)
    #expect(AddressMark("http://me:pw@h/a.gif#part") == AddressMark("http://h/a.gif"))
  }

  @Test("A file name from an address cannot leave its folder") func folder() {
    #expect(FileNames.name(for: "http://h/a/sunset.jpeg?x=1").file(.jpeg) == "sunset.jpeg")
    #expect(FileNames.name(for: "http://h/").file(.png) == "picture.png")
    #expect(FileNames.name(for: "http://h/a/%2E%2E%2Fpasswd").file(.gif) == "_passwd.gif")
    #expect(FileNames.name(for: "http://h/photo").file(.webp) == "photo.webp")
  }
}
