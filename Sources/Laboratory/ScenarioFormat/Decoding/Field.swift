/// One key of an object: what its value must be, and where the value goes.
struct Field<Owner: Sendable>: Sendable {
  private(set) var key: ObjectSchema.Key
  /// Reads the value into the owner, and returns whether there is one.
  let read: @Sendable (JSONNode, inout Owner, inout Reading) -> Bool

  /// A key whose absence leaves the owner's value as it is.
  init<Value>(
    _ name: String, _ kind: ValueKind<Value>, _ path: any WritableKeyPath<Owner, Value> & Sendable, _ help: String
  ) {
    self.init(ObjectSchema.Key(name: name, help: help, schema: kind.schema)) { node, owner, reading in
      guard let value = kind.read(node, &reading) else { return false }
      owner[keyPath: path] = value
      return true
    }
  }

  /// A key whose absence leaves nil.
  init<Value>(
    _ name: String, _ kind: ValueKind<Value>, _ path: any WritableKeyPath<Owner, Value?> & Sendable, _ help: String
  ) {
    self.init(name, kind.map { Optional($0) }, path, help)
  }

  /// A key of which nothing is read here.
  init(ignoring key: ObjectSchema.Key) { self.init(key) { _, _, _ in true } }

  private init(_ key: ObjectSchema.Key, _ read: @escaping @Sendable (JSONNode, inout Owner, inout Reading) -> Bool) {
    self.key = key
    self.read = read
  }

  var name: String { key.name }

  /// The same, and it must be there.
  var required: Field { required(true) }

  /// The same, and it may be left out.
  var optional: Field { required(false) }

  private func required(_ isRequired: Bool) -> Field {
    var field = self
    field.key.isRequired = isRequired
    return field
  }

  /// The same key of a larger owner.
  func within<Outer>(_ path: any WritableKeyPath<Outer, Owner> & Sendable) -> Field<Outer> {
    Field<Outer>(key) { node, outer, reading in read(node, &outer[keyPath: path], &reading) }
  }
}
