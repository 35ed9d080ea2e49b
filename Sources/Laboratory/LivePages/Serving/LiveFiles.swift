import RunPages

/// The fixed files of the page. They contain nothing of a session, so they need no token.
enum LiveFiles {
  static let all: [String: (type: String, bytes: [UInt8])] = [
    "/": ("text/html; charset=utf-8", PackageResources.live_html),
    "/icon.svg": ("image/svg+xml", PackageResources.icon_svg),
    "/live.css": ("text/css; charset=utf-8", Array(RunPageWriter.style.utf8) + PackageResources.live_css),
    "/live.js": ("text/javascript; charset=utf-8", script),
  ]

  /// One file, because the parts share their names.
  private static var script: [UInt8] {
    let lanes = PageLane.allCases.map { "\"\($0)\"" }.joined(separator: ", ")
    let start = "\"use strict\";\n(() => {\nconst data = { l: [\(lanes)], f: [] };\n"
    return Array((start + RunPageWriter.sharedScript).utf8) + PackageResources.device_js + PackageResources.live_js
      + Array("\n})();\n".utf8)
  }
}
