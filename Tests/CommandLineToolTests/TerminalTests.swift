import Foundation
import Testing

@testable import CommandLineTool

@Suite struct TerminalTests {
  @Test func whatIsNoTerminalGetsNoColour() throws {
    let file = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
    #expect(!Style.detected(for: file.fileDescriptor, isForbidden: false, environment: [:]).isColored)
    #expect(Style.plain(.red, "text") == "text")
    #expect(Style(isColored: true)(.red, "text") == "\u{1B}[31mtext\u{1B}[0m")
  }
}
