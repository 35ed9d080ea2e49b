import Foundation
import TestMachine
import Testing

@Suite("The bus depends on no other part of the project", .computing) struct SourceRuleTests {
  @Test(
    "EventBus imports only Scheduling and system libraries, and Scheduling imports only system libraries",
    arguments: [("EventBus", 20, ["Scheduling"]), ("Scheduling", 5, [])])
  func imports(module: String, count: Int, ours: [String]) throws {
    let allowed = Set(["Dispatch", "Synchronization", "Glibc", "Musl", "Darwin"] + ours)
    let sources = packageRoot.appending(path: "Sources/\(module)")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > count)
    for file in files {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard let module = line.firstMatch(of: /^\s*(?:@\w+ )*(?:public |package |internal )?import (\w+)/)?.1 else {
          continue
        }
        #expect(allowed.contains(String(module)), "\(file.lastPathComponent): \(line)")
      }
    }
  }
}
