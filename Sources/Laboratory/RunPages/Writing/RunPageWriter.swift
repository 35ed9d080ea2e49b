package import Foundation
import PlainText

/// Writes a page as a single HTML file that contains its data, style and script. The page needs no other files and no
/// network.
package enum RunPageWriter {
  /// Returns the HTML of the page.
  ///
  /// The content security policy allows only this file's own style and script. The data is stored in a script element
  /// that is not executed.
  package static func html(_ page: RunPage) -> Data {
    let data = JSONText.line(page).withoutMarkup
    let parts = document(page.title, scripts: "script-src 'unsafe-inline'", body: body).components(
      separatedBy: dataMark)
    return Data(parts[0].utf8) + data + Data(parts[1].utf8)
  }

  private static let dataMark = "\u{1}"

  private static var script: String {
    text(PackageResources.data_js) + "\n" + sharedScript + "\n" + text(PackageResources.page_js)
  }

  /// The parts of the script that the live page also uses: the data of runs, the drawing, the table and the state.
  package static var sharedScript: String {
    [
      PackageResources.runs_js, PackageResources.drawing_js, PackageResources.table_js, PackageResources.state_js,
    ].map(text).joined(separator: "\n")
  }

  /// The style of all pages.
  package static var style: String { text(PackageResources.page_css) }

  private static func text(_ resource: [UInt8]) -> String { String(decoding: resource, as: UTF8.self) }

  private static var body: String {
    """
    <noscript><p>This page needs a script to draw the run. Allow scripts for this file, or read the run in the terminal with \
    <code>--timeline</code>.</p></noscript>
    <div id="page"></div>
    <script type="application/json" id="run">\(dataMark)</script>
    <script>
    "use strict";
    (() => {
    \(script)
    })();
    </script>
    """
  }

  /// Returns an HTML document in the style of the pages.
  ///
  /// - Parameter scripts: the directive for scripts in the content security policy. The default allows no script.
  static func document(_ title: String, scripts: String = "script-src 'none'", body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \(scripts); \
    base-uri 'none'; form-action 'none'">
    <title>\(title.escapedForHTML)</title>
    <style>
    \(style)</style>
    </head>
    <body>
    \(body)
    </body>
    </html>

    """
  }
}

extension Data {
  /// The JSON with each `<` escaped, so that no text can close the script element that contains it.
  fileprivate var withoutMarkup: Data {
    // Use an array, because appending single bytes to `Data` is slow.
    var result: [UInt8] = []
    result.reserveCapacity(count + count / 50)
    for byte in self {
      if byte == UInt8(ascii: "<") { result += "\\u003c".utf8 } else { result.append(byte) }
    }
    return Data(result)
  }
}
