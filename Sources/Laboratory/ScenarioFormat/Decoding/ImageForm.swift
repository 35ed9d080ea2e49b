/// The table of fields of a picture.
enum ImageForm {
  /// All pictures. Those with a `count` have been written out.
  static var images: ValueKind<[Scenario.Image]> {
    let list = image.list()
    let counted = Repetition.countedImages.schema
    let entries = Schema.list(of: .either([image.schema, counted]), count: 0...Int.max)
    return ValueKind(.either([entries, counted]), list.read).eachOnce(
      "id", beside: Set(Scenario.shownWords), advice: "choose another"
    ) { "the id \($0) is taken" }
  }

  /// One picture.
  static var image: ValueKind<Scenario.Image> { Form(empty: Scenario.Image(), fields: fields).kind }

  /// The fields of one picture.
  static var fields: [Field<Scenario.Image>] {
    [
      Field("id", .name, \.id, "how the file refers to it").required,
      Field(
        "path", ValueKind.path.map { ScenarioPath($0) }, \.path,
        "where the origin has it: as the origin sees it, without escapes"
      ).required,
      Field("size", size, \.size, "width and height in pixels, which take about three bytes each; default 64x64"),
    ]
  }

  private static var size: ValueKind<Scenario.Size> {
    let side = 1...4096
    return ValueKind.text(like: "[1-9][0-9]{0,3}x[1-9][0-9]{0,3}", "size", example: "64x64").map { text in
      let sides = text.split(separator: "x").compactMap { Int($0) }
      return Scenario.Size(width: sides[0], height: sides[1])
    }.validated { size, node, _ in
      if side.contains(size.width), side.contains(size.height) { return nil }
      return Diagnostic(.wrongValue, "a side of more than \(side.upperBound) pixels", at: node.range)
    }
  }
}
