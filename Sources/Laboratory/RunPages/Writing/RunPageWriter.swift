import Bytes
package import Foundation

/// Writes a page as a single HTML file that contains its data, style and script. The file needs no other files and no
/// network.
package enum RunPageWriter {
  /// Returns the HTML of the page.
  ///
  /// The content security policy allows only this file's own style and script. The data is stored in a script element
  /// that is not executed.
  package static func html(_ page: RunPage) throws -> Data {
    var data = try JSONEncoder.compact.encode(page)
    data = data.withoutMarkup
    let head = document(page.title, style: text(PackageResources.page_css), script: script)
    let parts = head.components(separatedBy: dataMark)
    return Data(parts[0].utf8) + data + Data(parts[1].utf8)
  }

  private static let dataMark = "\u{1}"

  private static var script: String {
    [
      PackageResources.data_js, PackageResources.drawing_js, PackageResources.table_js, PackageResources.state_js,
      PackageResources.page_js,
    ].map(text).joined(separator: "\n")
  }

  static func text(_ resource: [UInt8]) -> String { String(decoding: resource, as: UTF8.self) }

  private static func document(_ title: String, style: String, script: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <title>\(title.escapedForHTML)</title>
    <style>
    \(style)</style>
    </head>
    <body>
    <noscript><p>This page draws a run with a script. Allow scripts for this file, or read the run in the terminal with \
    <code>--timeline</code>.</p></noscript>
    <div id="page"></div>
    <script type="application/json" id="run">\(dataMark)</script>
    <script>
    "use strict";
    (() => {
    \(script)
    })();
    </script>
    </body>
    </html>

    """
  }

  static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
}

extension JSONEncoder {
  fileprivate static var compact: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    return encoder
  }
}

extension Data {
  /// The JSON with each `<` escaped, so no text in it can close the data's element.
  fileprivate var withoutMarkup: Data {
    var result = Data(capacity: count + count / 50)
    for byte in self {
      if byte == UInt8(ascii: "<") { result.append(contentsOf: Array("\\u003c".utf8)) } else { result.append(byte) }
    }
    return result
  }
}
