import FetcherModel
import Foundation
import ScenarioEngine
import Testing

@testable import FetcherApp

@Suite struct TerminalTests {
  @Test func whatIsNoTerminalGetsNoColour() throws {
    let file = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
    #expect(!Style.detected(for: file.fileDescriptor, isForbidden: false, environment: [:]).isColoured)
    #expect(Style.plain(.red, "text") == "text")
    #expect(Style(isColoured: true)(.red, "text") == "\u{1B}[31mtext\u{1B}[0m")
  }

  @Test func fileNamesStayInTheirFolder() {
    #expect(FileNames.name(for: "http://h/a/sunset.jpeg?x=1").file(.jpeg) == "sunset.jpeg")
    #expect(FileNames.name(for: "http://h/").file(.png) == "picture.png")
    #expect(FileNames.name(for: "http://h/a/%2E%2E%2Fpasswd").file(.gif) == "_passwd.gif")
    #expect(FileNames.name(for: "http://h/photo").file(.webp) == "photo.webp")
  }

  @Test func twoSeedsMakeTwoPicturesThatTheModelAccepts() throws {
    let first = try Picture(validating: PatternPicture(seed: 1, width: 64, height: 48).png)
    let second = try Picture(validating: PatternPicture(seed: 2, width: 300, height: 200).png)
    #expect((first.width, first.height, first.format) == (64, 48, .png))
    #expect((second.width, second.height) == (300, 200))
    #expect(first.bytes != second.bytes)
  }
}
