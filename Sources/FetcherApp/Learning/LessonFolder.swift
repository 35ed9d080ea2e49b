import Foundation
import Lessons

/// The files of the lessons in the checkout: texts, and the programs that learners change.
struct LessonFolder: Sendable {
  private static let path = "scenarios/lessons"

  /// One of the three files of a program.
  enum Variant: String, CaseIterable {
    case broken = "Broken"
    case fixed = "Fixed"
    case halfRepaired = "HalfRepair"
  }

  private let url: URL
  private let workingDirectory: URL
  private let executableFolder: URL

  /// Looks in the working directory, in those around it, and in those around the executable.
  ///
  /// - Throws: a failure with code 4 where there is no checkout.
  init() throws(CommandFailure) {
    let current = URL(filePath: FileManager.default.currentDirectoryPath)
    let executable = (Bundle.main.executableURL ?? current).resolvingSymlinksInPath().deletingLastPathComponent()
    let places = [current, executable].flatMap { Self.around($0) }
    guard let place = places.first(where: { Self.isCheckout($0) }) else {
      throw .cannotStart(
        "the lessons need the checkout: there is no folder \(Self.path) at or above \(current.path) or the program")
    }
    url = place.appending(path: Self.path)
    workingDirectory = current
    executableFolder = executable
  }

  func text(of lesson: Lesson) throws(CommandFailure) -> LessonText {
    LessonText(try read(url.appending(path: lesson.folder).appending(path: "lesson.md")))
  }

  /// The lines of a variant.
  func code(_ variant: Variant, of lesson: Lesson) throws(CommandFailure) -> [String] {
    Self.lines(try read(file(variant, of: lesson)))
  }

  /// The lines of the broken variant as it was compiled; nil where the program does not sit in its build folder.
  func compiledCode(of lesson: Lesson) -> [String]? {
    #if os(Linux)
      let bundle = "swift-fetcher-lab_Lessons.resources"
    #else
      let bundle = "swift-fetcher-lab_Lessons.bundle"
    #endif
    let file = executableFolder.appending(path: bundle).appending(path: file(.broken, of: lesson).lastPathComponent)
    return try? Self.lines(String(contentsOf: file, encoding: .utf8))
  }

  func file(_ variant: Variant, of lesson: Lesson) -> URL {
    url.appending(path: lesson.folder).appending(path: "\(lesson.id)\(variant.rawValue).swift")
  }

  /// The path to open the file with, from the working directory where that is shorter.
  func path(_ variant: Variant, of lesson: Lesson) -> String {
    path(file(variant, of: lesson))
  }

  /// The command that brings the broken variant back, or those of all lessons.
  func restoring(_ lesson: Lesson?) -> String {
    "git checkout " + (lesson.map { path(.broken, of: $0) } ?? "'\(path(url))/*Broken.swift'")
  }

  private func path(_ file: URL) -> String {
    let path = file.path
    let prefix = workingDirectory.path + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  private func read(_ file: URL) throws(CommandFailure) -> String {
    do { return try String(contentsOf: file, encoding: .utf8) } catch {
      let reason =
        FileManager.default.fileExists(atPath: file.path) ? error.localizedDescription : "there is no such file"
      throw .cannotStart("cannot read \(file.path): \(reason). To have it back: git checkout \(path(file))")
    }
  }

  private static func lines(_ text: String) -> [String] {
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  private static func around(_ place: URL) -> [URL] {
    sequence(first: place.standardizedFileURL) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }.map { $0 }
  }

  private static func isCheckout(_ place: URL) -> Bool {
    ["Package.swift", path].allSatisfy { FileManager.default.fileExists(atPath: place.appending(path: $0).path) }
  }
}
