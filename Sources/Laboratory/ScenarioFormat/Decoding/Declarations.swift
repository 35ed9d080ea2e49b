/// What a file declares. It is found before anything is decoded, so that a name may stand before its declaration.
struct Declarations: Sendable {
  /// The ids of the images; nil where one cannot be read, so that nobody is called undeclared.
  var images: Names? = Names([])
  /// The ids of the steps, in their order.
  var steps = Names([])
  /// The program that takes the steps.
  var program = Scenario.standardProgram

  init() {}

  init(_ root: JSONNode) {
    if let node = root["images"] {
      images = nil
      if case .list(let elements) = node.content {
        let ids = elements.map { $0["id"]?.word }
        if !ids.contains(nil) { images = Names(ids.compactMap(\.self)) }
      }
    }
    steps = Names(root["steps"]?.elements.compactMap { $0["id"]?.word } ?? [])
    if let name = root["program"]?.word { program = name }
  }
}
