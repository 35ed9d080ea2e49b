import Comparison
import Foundation
import TestMachine
import Testing

@testable import Commands

@Suite struct BehaviorTests {
  @Test("The verdict on strategies ignores scenarios in a subfolder")
  func ownScenarios() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let own = folder.appending(path: "mine")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let shipped = packageRoot.appending(path: "scenarios/bus-late-listener.json")
    try FileManager.default.copyItem(at: shipped, to: folder.appending(path: "bus-late-listener.json"))
    try FileManager.default.copyItem(at: shipped, to: own.appending(path: "own.json"))
    let cells = try BehaviorRuns(folder: folder).cells(["dataTask"])
    #expect(cells.map(\.scenario) == ["bus-late-listener"])
  }
}
