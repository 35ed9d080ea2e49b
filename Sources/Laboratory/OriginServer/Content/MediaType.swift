import HTTPWire

/// The media type of a file name's extension.
func mediaType(ofPath path: String) -> String {
  let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? ""[...].utf8
  guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "application/octet-stream" }
  switch String(decoding: asciiLowercased(name[dot...].dropFirst()), as: UTF8.self) {
  case "jpeg", "jpg": return "image/jpeg"
  case "png": return "image/png"
  case "gif": return "image/gif"
  case "webp": return "image/webp"
  case "svg": return "image/svg+xml"
  case "json": return "application/json"
  case "html", "htm": return "text/html; charset=utf-8"
  case "css": return "text/css; charset=utf-8"
  case "js", "mjs": return "text/javascript; charset=utf-8"
  case "txt", "md": return "text/plain; charset=utf-8"
  case "xml", "plist": return "application/xml"
  default: return "application/octet-stream"
  }
}
