import PlainText

/// An SVG drawing. Its classes refer to colors and fonts in the page's style sheet.
struct SVG {
  /// The width of every drawing. A drawing of this width fits on a narrow screen, so that its text remains readable.
  static let width = 360.0

  private var body = ""
  private let height: Double
  private let title: String

  init(height: Double, title: String) {
    self.height = height
    self.title = title
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) {
    body +=
      "<line x1=\"\(Self.n(x1))\" y1=\"\(Self.n(y1))\" x2=\"\(Self.n(x2))\" y2=\"\(Self.n(y2))\" class=\"\(style)\"/>"
  }

  mutating func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String) {
    body +=
      "<rect x=\"\(Self.n(x))\" y=\"\(Self.n(y))\" width=\"\(Self.n(max(0, width)))\" height=\"\(Self.n(max(0, height)))\""
      + " class=\"\(style)\"/>"
  }

  mutating func dot(_ x: Double, _ y: Double, _ style: String) {
    body += "<circle cx=\"\(Self.n(x))\" cy=\"\(Self.n(y))\" r=\"4\" class=\"\(style)\"/>"
  }

  mutating func path(_ points: [(Double, Double)], _ style: String, isClosed: Bool = false) {
    guard let first = points.first else { return }
    let rest = points.dropFirst().map { "L\(Self.n($0.0)) \(Self.n($0.1))" }.joined()
    body += "<path d=\"M\(Self.n(first.0)) \(Self.n(first.1))\(rest)\(isClosed ? "Z" : "")\" class=\"\(style)\"/>"
  }

  mutating func text(_ x: Double, _ y: Double, _ text: String, _ style: String = "") {
    body += "<text x=\"\(Self.n(x))\" y=\"\(Self.n(y))\" class=\"\(style)\">\(text.escapedForHTML)</text>"
  }

  /// The SVG element, for embedding in a page.
  var element: String {
    "<svg viewBox=\"0 0 \(Self.n(Self.width)) \(Self.n(height))\" role=\"img\"><title>\(title.escapedForHTML)</title>"
      + body + "</svg>"
  }

  private static func n(_ value: Double) -> String {
    let text = value.decimals(1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
