/// What an object of a scenario consists of, in the order of its table of fields: what the reference is made of.
///
/// The schema says the same without an order, as JSON has none.
struct Outline: Sendable {
  /// One key.
  struct Key: Sendable {
    let name: String
    /// One sentence for people who write scenarios.
    let help: String
    let isRequired: Bool
    /// What its value must be.
    let schema: Schema
  }

  /// One of the words that decide which further keys there are.
  struct Word: Sendable {
    let name: String
    let help: String
    /// The keys that come with it, beside the common ones.
    let keys: [Key]
  }

  var keys: [Key] = []
  var words: [Word] = []

  /// The outline of the value of a key; of a list, that of its items. Empty for a plain value, and for an unknown key.
  subscript(name: String) -> Outline { keys.first { $0.name == name }?.schema.outline ?? Outline() }

  /// All keys that come with some word, each once.
  var keysOfWords: [Key] {
    words.flatMap(\.keys).reduce(into: []) { keys, key in
      if !keys.contains(where: { $0.name == key.name }) { keys.append(key) }
    }
  }
}

extension Field {
  /// What people read of it.
  var key: Outline.Key { Outline.Key(name: name, help: help, isRequired: isRequired, schema: schema) }
}
