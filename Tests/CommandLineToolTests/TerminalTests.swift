import Foundation
import Testing

@testable import CommandLineTool

@Suite struct TerminalTests {
  @Test("Output that does not go to a terminal has no colors") func whatIsNoTerminalGetsNoColor() throws {
    let file = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
    #expect(!TextStyle.detected(for: file.fileDescriptor, isForbidden: false, environment: [:]).isColored)
    #expect(TextStyle.plain(.red, "text") == "text")
    #expect(TextStyle(isColored: true)(.red, "text") == "\u{1B}[31mtext\u{1B}[0m")
  }
}
