/// One key of an object: its name, what its value must be, and where the value goes.
struct Field<Owner: Sendable>: Sendable {
  let name: String
  /// One sentence for the schema.
  let help: String
  let isRequired: Bool
  let schema: Schema
  /// Reads the value into the owner, and returns whether there is one.
  let read: @Sendable (JSONNode, inout Owner, inout Reading) -> Bool

  private init(
    _ name: String, _ help: String, isRequired: Bool, _ schema: Schema,
    _ read: @escaping @Sendable (JSONNode, inout Owner, inout Reading) -> Bool
  ) {
    self.name = name
    self.help = help
    self.isRequired = isRequired
    self.schema = schema
    self.read = read
  }

  /// A key whose absence leaves the owner's value as it is.
  init<Value>(
    _ name: String, _ kind: ValueKind<Value>, _ path: any WritableKeyPath<Owner, Value> & Sendable, _ help: String
  ) {
    self.init(name, help, isRequired: false, kind.schema) { node, owner, reading in
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

  /// The same, and it must be there.
  var required: Field { Field(name, help, isRequired: true, schema, read) }

  /// The same, and it may be left out.
  var optional: Field { Field(name, help, isRequired: false, schema, read) }

  /// The same key of a larger owner.
  func within<Outer>(_ path: any WritableKeyPath<Outer, Owner> & Sendable) -> Field<Outer> {
    Field<Outer>(name, help, isRequired: isRequired, schema) { node, outer, reading in
      read(node, &outer[keyPath: path], &reading)
    }
  }
}
