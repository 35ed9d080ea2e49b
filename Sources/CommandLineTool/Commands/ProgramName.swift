import Foundation

/// The name under which the user started this program, for commands that the program prints.
package enum ProgramName {
  /// The name of the executable, or `fetcher` in a test bundle.
  package static let shown: String = {
    let name = URL(filePath: CommandLine.arguments[0]).lastPathComponent
    return name.isEmpty || name.hasSuffix(".xctest") ? "fetcher" : name
  }()
}
