// does not compile: cannot find 'missing_on_darwin' in scope

#if os(Linux)
  func value() -> Int { 1 }
#elseif os(macOS)
  func value() -> Int { missing_on_darwin() }
#endif
