#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import Foundation
  import Testing

  /// The failing orders of earlier runs of a test: a line for each in `<Suite>.<test>.txt`, in the folder `.explored` of
  /// the package.
  ///
  /// A line contains the token, the number of the test's case, the date and the finding, with tabs between them.
  struct StoredOrders {
    struct Order {
      let token: String
      let number: Int
    }

    let path: String

    init(_ test: Test) {
      self.init(
        folder: ExploredEnvironment.current.orders
          ?? PackageFolder.containing(test.sourceLocation.filePath) + "/.explored",
        name: test.id.nameComponents.joined(separator: "."))
    }

    init(folder: String, name: String) {
      let plain = name.map { $0.isLetter || $0.isNumber || ".,_-".contains($0) ? $0 : "_" }
      let ending = name.hasSuffix("()") ? plain.dropLast(2) : plain[...]
      path = "\(folder)/\(String(ending)).txt"
    }

    private var lines: [String] {
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
      return text.split(separator: "\n").map(String.init)
    }

    var orders: [Order] {
      lines.compactMap { line in
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard parts.count > 1, let number = Int(parts[1]) else { return nil }
        return Order(token: String(parts[0]), number: number)
      }
    }

    /// Adds an order, unless it is stored already.
    func add(_ token: String, _ number: Int, _ finding: String, on date: Date = .now) throws {
      guard !orders.contains(where: { $0.token == token && $0.number == number }) else { return }
      let finding = finding.split(whereSeparator: \.isNewline).first.map { $0.replacing("\t", with: " ") } ?? ""
      let line = "\(token)\t\(number)\t\(date.formatted(.iso8601.year().month().day()))\t\(finding)"
      try FileManager.default.createDirectory(
        at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
      try ((lines + [line]).joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
  }

  /// The root folder of a package.
  enum PackageFolder {
    /// The folder with the `Package.swift` above a file, or the current folder if there is none.
    static func containing(_ path: String) -> String {
      var folder = URL(filePath: path).deletingLastPathComponent()
      while folder.path.count > 1 {
        if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { return folder.path }
        folder.deleteLastPathComponent()
      }
      return FileManager.default.currentDirectoryPath
    }
  }
#endif
