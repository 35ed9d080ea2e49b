#if os(Linux)
  import Foundation

  extension posix_spawn_file_actions_t {
    /// Closes all descriptors of the child from this number on.
    ///
    /// A process with threads cannot list them: another thread may create one that is not yet marked to be closed, and
    /// a child with a copy would keep that thread's pipe open.
    package mutating func addCloseFrom(_ first: Int32) {
      // The headers declare the function, which glibc has since version 2.34, for GNU C only.
      typealias Add = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
      guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
      _ = unsafeBitCast(symbol, to: Add.self)(&self, first)
    }
  }
#endif
