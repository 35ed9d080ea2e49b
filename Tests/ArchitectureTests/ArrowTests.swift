import Foundation
import TestMachine
import Testing

/// The allowed imports. A change of this table is a change of the design.
@Suite(.computing) struct ArrowTests {
  /// The direct dependencies of each module. A module can also import their dependencies.
  private static let arrows: [String: Set<String>] = [
    "Scheduling": [],
    "PlainText": [],
    "EventBus": ["Scheduling"],
    "SmallBus": [],
    "FetcherModel": ["EventBus", "PlainText"],
    "FetcherViews": ["FetcherModel"],
    "TutorialApps": ["FetcherViews"],
    "CommandLineTool": ["PlainText", "Scheduling"],
    "FetcherApp": ["CommandLineTool", "Commands", "FetcherViews", "OriginServer"],
  ].merging(laboratory) { $1 }.merging(lessonArrows) { $1 }

  /// The modules in `Sources/Laboratory`. Of the sample, only `FetcherApp` uses them.
  private static let laboratory: [String: Set<String>] = [
    "HTTPWire": [],
    "SocketStrategy": ["FetcherModel", "HTTPWire"],
    "OriginServer": ["HTTPWire", "PlainText", "Scheduling"],
    "SeededNumbers": [],
    "VirtualTime": ["PlainText", "Scheduling", "SeededNumbers"],
    "ScenarioFormat": ["PlainText"],
    "ScenarioEngine": ["OriginServer", "ScenarioFormat", "SocketStrategy", "TutorialApps", "VirtualTime"],
    "ScheduleExplorer": ["VirtualTime"],
    "ExplorerHooks": [],
    "ScheduleExplorerTesting": ["ExplorerHooks", "ScheduleExplorer"],
    "Comparison": ["PlainText", "SeededNumbers"],
    "RunPages": ["ScenarioEngine", "ScheduleExplorer"],
    "LivePages": ["RunPages"],
    "Commands": [
      "BrokenLessons", "CommandLineTool", "Comparison", "FixedLessons", "HalfRepairedLessons", "LivePages",
    ],
  ]

  private static let lessonArrows: [String: Set<String>] = [
    "Lessons": ["EventBus", "ScheduleExplorer"],
    "BrokenLessons": ["Lessons"],
    "FixedLessons": ["Lessons"],
    "HalfRepairedLessons": ["Lessons"],
  ]

  /// The modules whose sources share `scenarios/lessons`: the suffix of their file names, and their separate folder.
  private static let lessons: [String: (end: String, folder: String)] = [
    "Lessons": ("", "Stage"), "BrokenLessons": ("Broken", "Broken"), "FixedLessons": ("Fixed", "Fixed"),
    "HalfRepairedLessons": ("HalfRepair", "HalfRepaired"),
  ]

  private static let modules = arrows.keys.sorted()

  /// Returns the modules that a module can import.
  private static func reach(_ module: String) -> Set<String> {
    arrows[module, default: []].reduce(into: []) { $0.formUnion(reach($1).union([$1])) }
  }

  /// Returns the modules of this package that a source imports, with any attributes and access level.
  private static func imports(in source: String) -> Set<String> {
    let lines = source.split(whereSeparator: \.isNewline).filter { $0.contains("import") }
    return Set(lines.compactMap { $0.firstMatch(of: /^[\w@() ]*\bimport +(?:\w+ +)?(\w+)/).map { String($0.1) } })
      .intersection(modules)
  }

  /// Returns the forbidden imports in a source of a module.
  private static func strays(_ module: String, _ source: String) -> Set<String> {
    imports(in: source).subtracting(reach(module).union([module]))
  }

  private static func sources(of module: String) -> String {
    if lessons[module] != nil { return "scenarios/lessons" }
    return laboratory[module] == nil ? "Sources/\(module)" : "Sources/Laboratory/\(module)"
  }

  @Test("A module imports only the modules in its row of the table", arguments: modules)
  func sources(_ module: String) throws {
    let kind = Self.lessons[module]
    let folder = packageRoot.appending(path: Self.sources(of: module))
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let files = paths.filter { path in
      guard let kind else { return path.hasSuffix(".swift") || path.hasSuffix(".c") }
      return path.hasPrefix(kind.folder + "/") || path.hasSuffix("/\(path.prefix { $0 != "-" })\(kind.end).swift")
    }
    #expect(!files.isEmpty)
    for file in files {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      #expect(Self.strays(module, source) == [], "\(module)/\(file)")
    }
  }

  /// The laboratory modules that each file or folder of `FetcherApp` can import.
  private static let imports: [String: Set<String>] = [
    "Laboratory.swift": ["Commands"], "Demo": ["OriginServer"], "Main": ["SocketStrategy"],
  ]

  @Test("Only the gate of FetcherApp imports the laboratory")
  func gate() throws {
    let folder = packageRoot.appending(path: "Sources/FetcherApp")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    for path in paths where path.hasSuffix(".swift") {
      let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      let laboratory = Set(Self.laboratory.keys).union(Self.lessonArrows.keys)
      let imports = Self.imports(in: source).intersection(laboratory)
      let allowed: Set<String> =
        Self.imports[String(path.prefix { $0 != "/" })] ?? []
      #expect(imports.isSubset(of: allowed), "\(path)")
    }
  }

  @Test("Package.swift and the folders in Sources match the table", arguments: modules)
  func manifest(_ module: String) throws {
    let manifest = try String(contentsOf: packageRoot.appending(path: "Package.swift"), encoding: .utf8)
    let pattern = #"(?s)(?:arget|laboratory)\(\s*(?:name: )?"\#(module)".*?(?=\n    [^ ]|\n  \])"#
    let target = try #require(manifest.firstMatch(of: try Regex(pattern)))
    let names = Set(manifest[target.range].matches(of: /"(\w+)"/).map { String($0.1) }).intersection(Self.modules)
    #expect(names.subtracting([module]).isSubset(of: Self.reach(module)))
    #expect(Self.arrows[module, default: []].isSubset(of: names))
    let folders = try ["Sources", "Sources/Laboratory"].flatMap {
      try FileManager.default.contentsOfDirectory(atPath: packageRoot.appending(path: $0).path)
    }
    #expect(Set(folders).subtracting(["Laboratory"]) == Set(Self.modules.filter { Self.lessons[$0] == nil }))
  }

  @Test(
    "The check reports a forbidden import in any form",
    arguments: [
      ("FetcherModel", "import FetcherViews"), ("EventBus", "package import VirtualTime"),
      ("VirtualTime", "import EventBus"), ("EventBus", "import PlainText"), ("SmallBus", "import Scheduling"),
      ("FetcherModel", "import OriginServer"), ("FetcherModel", "import SocketStrategy"),
      ("CommandLineTool", "import FetcherModel"), ("Commands", "import FetcherApp"),
      ("ScenarioFormat", "public import EventBus"), ("ScenarioEngine", "@testable import FetcherApp"),
      ("OriginServer", "import struct ScenarioFormat.Scenario"),
    ])
  func strayImports(_ module: String, _ line: String) {
    #expect(Self.strays(module, "import Foundation\n\(line)\n\nstruct Some {}").count == 1)
  }

  @Test("A layer of the bus names no type from a layer above it")
  func layers() throws {
    let bus = packageRoot.appending(path: "Sources/EventBus")
    var below: Set<String> = []
    var sources: [(layer: String, text: String)] = []
    var types: [String: Set<String>] = [:]
    let layers = ["Events", "Reclamation", "Subscribers", "Calling", "Mailboxes", "Channel", "Bus"]
    for layer in layers {
      for name in try FileManager.default.contentsOfDirectory(atPath: bus.appending(path: layer).path)
      where name.hasSuffix(".swift") {
        let text = try String(contentsOf: bus.appending(path: "\(layer)/\(name)"), encoding: .utf8)
          .replacing(/"[^"\n]*"|\/\/[^\n]*/, with: "")
        sources.append((layer, text))
        types[layer, default: []].formUnion(
          text.matches(of: /\n(?:[a-z]+ )*(?:class|struct|enum|protocol) ([A-Z]\w+)/).map { String($0.1) })
      }
    }
    #expect(types.count == layers.count)
    for layer in layers {
      below.formUnion(types[layer] ?? [])
      let above = Set(types.values.joined()).subtracting(below)
      for (_, text) in sources.filter({ $0.layer == layer }) {
        let named = Set(text.matches(of: /\b[A-Z]\w+/).map { String($0.0) })
        #expect(named.intersection(above) == [], "\(layer)")
      }
    }
  }

  @Test("The README of a module lists its imports, and names types and files that exist")
  func readme() throws {
    for module in Self.modules where Self.lessonArrows[module] == nil && !["FetcherApp", "Comparison"].contains(module)
    {
      let folder = packageRoot.appending(path: Self.sources(of: module))
      let readme = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
      let uses = try #require(readme.firstMatch(of: /\*\*Uses\*\* (.+)\./), "\(module)").1
      #expect(Set(uses.matches(of: /`(\w+)`/).map { String($0.1) }) == Self.arrows[module], "\(module)")
      let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
      let sources = try paths.filter { $0.hasSuffix(".swift") }
        .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
      let types = Set(sources.matches(of: /(?:class|struct|enum|protocol) (\w+)/).map { String($0.1) })
      for type in readme.matches(of: /\n\| `(\w+)`/).map({ String($0.1) }) {
        #expect(types.contains(type), "\(module): \(type)")
      }
      for file in readme.matches(of: /`([\w+\/]+\.swift)`/).map({ String($0.1) }) {
        #expect(paths.contains { $0 == file }, "\(module): \(file)")
      }
    }
  }
}
