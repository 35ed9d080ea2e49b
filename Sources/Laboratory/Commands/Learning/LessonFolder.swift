import CommandLineTool
import Foundation
import Lessons
import PlainText
import ScenarioFormat

/// The lessons' files: texts and programs. Learners edit the programs in a checkout. An installed executable copies a
/// program into the working directory.
struct LessonFolder: Sendable {
  private static let path = "scenarios/lessons"

  /// A variant of a lesson's program. Each variant has its own file.
  enum Variant: String, CaseIterable {
    case broken = "Broken"
    case fixed = "Fixed"
    case halfRepaired = "HalfRepair"
  }

  /// Whether the files were installed together with the executable. Learners do not edit installed files.
  let isInstalled: Bool
  private let url: URL
  private let workingDirectory: URL
  private let executableFolder: URL

  /// Searches first for a checkout that contains the working directory, then for the installed lessons. Finally, it
  /// searches for a checkout that contains the executable.
  ///
  /// - Throws: a failure with code 4 if none of these folders contains the lessons.
  init(_ resources: ResourceLocator = .ofProcess) throws(CommandFailure) {
    let current = URL(filePath: FileManager.default.currentDirectoryPath)
    let executable = (Bundle.main.executableURL ?? current).resolvingSymlinksInPath().deletingLastPathComponent()
    let checkout = { (location: URL) in Self.around(location).first(where: Self.isCheckout)?.appending(path: Self.path)
    }
    if let location = checkout(current) {
      (url, isInstalled) = (location, false)
    } else if let location = try? resources.folder("lessons") {
      (url, isInstalled) = (location, true)
    } else if let location = checkout(executable) {
      (url, isInstalled) = (location, false)
    } else {
      throw .cannotStart(
        "the lessons were not found: neither \(current.path) nor the executable's folder, nor a folder above them, contains \(Self.path); run fetcher in the checkout, or install it with `bash Scripts/install`"
      )
    }
    workingDirectory = current
    executableFolder = executable
  }

  func text(of lesson: Lesson) throws(CommandFailure) -> LessonText {
    LessonText(try read(url.appending(path: lesson.folder).appending(path: "lesson.md")))
  }

  /// Returns the lines of a variant's file.
  func code(_ variant: Variant, of lesson: Lesson) throws(CommandFailure) -> [String] {
    try code(file(variant, of: lesson))
  }

  func code(_ file: URL) throws(CommandFailure) -> [String] { Self.lines(try read(file)) }

  /// Returns the lines of the broken variant from which the executable was compiled. Returns nil if the executable is
  /// neither in its build folder nor installed.
  func compiledCode(of lesson: Lesson) -> [String]? {
    if isInstalled { return try? code(.broken, of: lesson) }
    let name = file(.broken, of: lesson).lastPathComponent
    let texts = ResourceLocator.resources(of: "Lessons", in: executableFolder).lazy.compactMap { folder in
      try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    return texts.first.map(Self.lines)
  }

  func file(_ variant: Variant, of lesson: Lesson) -> URL {
    url.appending(path: lesson.folder).appending(path: "\(lesson.id)\(variant.rawValue).swift")
  }

  /// Returns the lines of the lesson's stage, or of a file that the stages share.
  func stage(of lesson: Lesson, sharedFile: String? = nil) throws(CommandFailure) -> [String] {
    try code(
      url.appending(
        path: sharedFile.map { "Stage/\($0).swift" } ?? "\(lesson.folder)/\(lesson.id).swift"))
  }

  /// Returns the file that a learner edits.
  func editedFile(of lesson: Lesson) -> URL {
    let original = file(.broken, of: lesson)
    return isInstalled ? workingDirectory.appending(path: original.lastPathComponent) : original
  }

  /// Whether ``editedFile(of:)`` exists and differs from the program from which the executable was compiled. False if
  /// that program is unknown.
  func isEdited(_ lesson: Lesson) -> Bool {
    guard let compiled = compiledCode(of: lesson), let edited = try? code(editedFile(of: lesson)) else { return false }
    return edited != compiled
  }

  /// Copies the program of an installed lesson to ``editedFile(of:)``, unless that file exists. Returns whether it
  /// wrote the file.
  ///
  /// - Throws: a failure with code 4 if the working directory is not writable.
  func prepareFile(of lesson: Lesson) throws(CommandFailure) -> Bool {
    let copy = editedFile(of: lesson)
    guard isInstalled, !FileManager.default.fileExists(atPath: copy.path) else { return false }
    do { try Data(contentsOf: file(.broken, of: lesson)).write(to: copy) } catch {
      throw .cannotStart(
        "cannot write \(copy.path): \(FileFailure.reason(error, writing: copy.path)); go to a folder that you can write to"
      )
    }
    return true
  }

  /// Returns a path for opening the variant's file. The path is relative if the file is in the working directory.
  func path(_ variant: Variant, of lesson: Lesson) -> String {
    path(file(variant, of: lesson))
  }

  /// Returns the path of the variant's file, relative to a checkout.
  func checkoutPath(_ variant: Variant, of lesson: Lesson) -> String {
    "\(Self.path)/\(lesson.folder)/\(file(variant, of: lesson).lastPathComponent)"
  }

  /// Returns the command that restores the original broken variant of one lesson, or of all lessons.
  func restoring(_ lesson: Lesson?) -> String {
    if isInstalled {
      return
        "rm \(lesson.map { path(editedFile(of: $0)).shellQuoted } ?? "FILE"), then `fetcher lesson start \(lesson?.id ?? "LESSON")`"
    }
    return "git checkout " + (lesson.map { path(.broken, of: $0) } ?? "\(path(url))/*Broken.swift").shellQuoted
  }

  /// Returns the path as a user in the working directory would type it.
  func path(_ file: URL) -> String {
    let path = file.path
    let prefix = workingDirectory.path + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  private func read(_ file: URL) throws(CommandFailure) -> String {
    do { return try String(contentsOf: file, encoding: .utf8) } catch {
      let reason =
        FileManager.default.fileExists(atPath: file.path) ? error.localizedDescription : "the file does not exist"
      guard file.path.hasPrefix(url.path) else { throw .cannotStart("cannot read \(file.path): \(reason)") }
      let remedy = isInstalled ? "install fetcher again" : "git checkout \(path(file).shellQuoted)"
      throw .cannotStart("cannot read \(file.path): \(reason). To restore it: \(remedy)")
    }
  }

  /// Returns the lines of a text. A line break at the end starts no further line.
  static func lines(_ text: String) -> [String] {
    var lines = SourceText(path: "", bytes: Array(text.utf8)).lines
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  private static func around(_ location: URL) -> [URL] {
    sequence(first: location.standardizedFileURL) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }.map { $0 }
  }

  private static func isCheckout(_ location: URL) -> Bool {
    ["Package.swift", path].allSatisfy { FileManager.default.fileExists(atPath: location.appending(path: $0).path) }
  }
}

/// A lesson's text, which consists of a title and sections with headings.
struct LessonText: Sendable {
  /// The title, which follows `# ` in the file.
  let title: String
  private let sections: [(heading: String, lines: [String])]

  /// Parses the text of `lesson.md`.
  init(_ text: String) {
    var title = ""
    var sections: [(heading: String, lines: [String])] = []
    for line in LessonFolder.lines(text) {
      if line.hasPrefix("# "), title.isEmpty {
        title = String(line.dropFirst(2))
      } else if line.hasPrefix("## ") {
        sections.append((String(line.dropFirst(3)), []))
      } else if !sections.isEmpty {
        sections[sections.count - 1].lines.append(line)
      }
    }
    self.title = title
    self.sections = sections
  }

  var headings: [String] { sections.map(\.heading) }

  /// Returns the paragraphs of a section, each as one line. Returns an empty list if there is no such section.
  func paragraphs(_ heading: String) -> [String] {
    let lines = self.lines(heading)
    return lines.split { $0.isEmpty }.map { $0.joined(separator: " ") }
  }

  /// The hints, without their numbers.
  var hints: [String] { items("Hints") }

  /// The outcomes that a learner can predict, without their numbers.
  var outcomes: [String] { items("Outcomes") }

  /// Returns the items of a numbered list.
  private func items(_ heading: String) -> [String] {
    lines(heading).reduce(into: [String]()) { items, line in
      if let match = line.prefixMatch(of: /[0-9]+\.\s/) {
        items.append(String(line[match.range.upperBound...]))
      } else if !line.isEmpty, !items.isEmpty {
        items[items.count - 1] += " " + line.drop { $0 == " " }
      }
    }
  }

  private func lines(_ heading: String) -> [String] { sections.first { $0.heading == heading }?.lines ?? [] }
}
