import RunPages

/// The fixed files of the page. They contain nothing of a session, so they need no token.
enum LiveFiles {
  static let all: [String: (type: String, bytes: [UInt8])] = [
    "/": ("text/html; charset=utf-8", PackageResources.live_html),
    "/icon.svg": ("image/svg+xml", Array(icon.utf8)),
    "/live.css": ("text/css; charset=utf-8", Array(RunPageWriter.style.utf8) + PackageResources.live_css),
    "/live.js": ("text/javascript; charset=utf-8", script),
  ]

  /// Two bars, as in the timeline.
  private static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0b5cad" d="M1 3h10v4H1z"/>\
    <path fill="#b4530a" d="M5 9h10v4H5z"/></svg>
    """

  /// One file, because the parts share their names.
  private static var script: [UInt8] {
    let lanes = PageLane.allCases.map { "\"\($0)\"" }.joined(separator: ", ")
    let start = "\"use strict\";\n(() => {\nconst data = { l: [\(lanes)], f: [] };\n"
    return Array((start + RunPageWriter.sharedScript).utf8) + PackageResources.device_js + PackageResources.live_js
      + Array("\n})();\n".utf8)
  }
}
