import Foundation
import PlainText

extension ValueKind where Value == String {
  /// A path as the origin receives it. It contains no escapes, and no parts that a client would normalize before
  /// sending the request.
  static var path: ValueKind {
    let parts = "(?!.*/[.]{1,2}(/|$))/[^#%\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]*"
    return text.validated(["pattern": .string("^\(parts)$")]) { path, node, _ in
      PathProblem(path).map { Diagnostic(.wrongValue, $0.message, at: node.range, $0.advice) }
    }
  }

  /// The name of a file in the scenario's folder or in one of its subfolders. The decoder's caller determines whether
  /// the file can be served.
  static var bodyFile: ValueKind {
    text(like: "[^/.][^/]*(/[^/.][^/]*)*", "path in the scenario's folder", example: "big.png")
      .validated { name, node, reading in
        if reading.isFull { return nil }
        return reading.problem(ofFile: name).map { Diagnostic(.wrongValue, $0.message, at: node.range, $0.advice) }
      }
  }
}

/// The reason why a string is not a valid path.
private struct PathProblem {
  let message: String
  let advice: String

  /// Returns the problem with a path, or nil if the path is valid.
  init?(_ path: String) {
    let scalars = path.unicodeScalars
    if scalars.first != "/" {
      message = "\(quoted(path)) is not a path"
      let address = path.firstRange(of: "://").map { path[$0.upperBound...].drop { $0 != "/" }.dropFirst() }
      let full = "/" + (address ?? path[...])
      advice = "write it as \(quoted(full.count > 1 && PathProblem(full) == nil ? full : "/a.png"))"
    } else if scalars.contains("%") {
      message = "the path \(quoted(path)) has an escape"
      advice = "write the character itself" + Self.decoded(path)
    } else if scalars.contains("#") {
      message = "the path \(quoted(path)) has a \"#\", which a client never sends"
      advice = "leave it out"
    } else if let segment = scalars.split(separator: "/").map({ String($0) }).first(where: { $0 == "." || $0 == ".." })
    {
      message = "the path \(quoted(path)) has the segment \"\(segment)\", which a client never sends"
      advice = "write the path without it"
    } else if scalars.contains(where: Self.hasNoShape) {
      message = "the path \(quoted(path)) has a control character"
      advice = "leave it out"
    } else {
      return nil
    }
  }

  /// Returns a suggestion with the decoded path, or an empty string if that is not a valid path.
  private static func decoded(_ path: String) -> String {
    guard let decoded = path.removingPercentEncoding, !decoded.contains("%"), PathProblem(decoded) == nil else {
      return ""
    }
    return ", as in \(quoted(decoded))"
  }

  private static func hasNoShape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
