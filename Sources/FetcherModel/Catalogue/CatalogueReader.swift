import Foundation

/// Walks the JSON of a catalogue and says where it is wrong.
struct CatalogueReader {
  // No path that a server accepts is longer, and no title that a person reads.
  private static let longestText = 4096

  let name: String

  func read(_ data: Data) throws(FetchError) -> (title: String, entries: [CatalogueEntry]) {
    let json: Any
    do {
      json = try JSONSerialization.jsonObject(with: data)
    } catch {
      throw .catalogue(path: "", reason: "\(name) is no JSON\(Self.place(of: error)); check it there")
    }
    guard let root = json as? [String: Any] else {
      throw .catalogue(path: "", reason: "\(name) must be an object with a list called “slides”")
    }
    let title = try text(root["title"], at: "title") ?? ""
    guard let key = ["slides", "photos", "images"].first(where: { root[$0] != nil }) else {
      throw .catalogue(path: "slides", reason: "the list is missing in \(name)")
    }
    guard let list = root[key] as? [Any] else {
      throw .catalogue(path: key, reason: "must be a list, not \(kind(root[key]))")
    }
    var entries: [CatalogueEntry] = []
    for (index, item) in list.enumerated() { entries.append(try entry(item, at: "\(key)[\(index)]")) }
    try Self.checkUnique(entries.map(\.id), in: key)
    return (title, entries)
  }

  /// Where the parser stopped and why, in Foundation's words.
  private static func place(of error: any Error) -> String {
    guard let words = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String else { return "" }
    return ": " + words.trimmingCharacters(in: CharacterSet(charactersIn: ". "))
  }

  private func entry(_ item: Any, at path: String) throws(FetchError) -> CatalogueEntry {
    guard let item = item as? [String: Any] else {
      throw .catalogue(path: path, reason: "must be an object, not \(kind(item))")
    }
    let key = item["file"] == nil && item["url"] != nil ? "url" : "file"
    guard let file = try text(item[key], at: "\(path).\(key)") else {
      throw .catalogue(path: "\(path).\(key)", reason: "is missing; every picture needs one")
    }
    try Self.check(file, at: "\(path).\(key)")
    let title = try text(item["title"], at: "\(path).title")
    return CatalogueEntry(
      id: try identifier(item["id"], at: "\(path).id"), title: title ?? PictureLocation(text: file).name,
      file: file)
  }

  private func text(_ value: Any?, at path: String) throws(FetchError) -> String? {
    guard let value, !(value is NSNull) else { return nil }
    guard let text = value as? String else {
      throw .catalogue(path: path, reason: "must be a string, not \(kind(value))")
    }
    try Self.checkLength(text, at: path)
    return text
  }

  /// No text of a list from outside may be longer than anybody needs.
  static func checkLength(_ text: String, at path: String) throws(FetchError) {
    guard text.utf8.count <= longestText else {
      throw .catalogue(path: path, reason: "is \(text.utf8.count) bytes long; at most \(longestText) are allowed")
    }
  }

  /// No two pictures of a list may have the same identifier; those without one do not count.
  static func checkUnique(_ ids: [String?], in list: String) throws(FetchError) {
    var owners: [String: Int] = [:]
    for (index, id) in ids.enumerated() {
      guard let id, let owner = owners.updateValue(index, forKey: id) else { continue }
      throw .catalogue(
        path: "\(list)[\(index)].id",
        reason: "\(PictureLocation.quoted(id)) is the id of \(list)[\(owner)] already; give each picture its own")
    }
  }

  private func identifier(_ value: Any?, at path: String) throws(FetchError) -> String? {
    guard let value, !(value is NSNull) else { return nil }
    if value is String { return try text(value, at: path) }
    guard let number = value as? NSNumber, kind(number) == "a number" else {
      throw .catalogue(path: path, reason: "must be a number or a string, not \(kind(value))")
    }
    return number.stringValue
  }

  /// A catalogue comes from outside: it must not lead out of its base, nor to the files of this machine.
  static func check(_ file: String, at path: String) throws(FetchError) {
    if let problem = PictureLocation(text: file).problem { throw .catalogue(path: path, reason: problem) }
  }

  private func kind(_ value: Any?) -> String {
    switch value {
    case nil, is NSNull: "null"
    case is String: "a string"
    case is [Any]: "a list"
    case is [String: Any]: "an object"
    case let number as NSNumber: String(cString: number.objCType) == "c" ? "true or false" : "a number"
    default: "something else"
    }
  }
}
