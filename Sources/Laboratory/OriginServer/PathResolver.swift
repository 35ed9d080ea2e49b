#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Walks from a folder to a file, one path component at a time. Each name is looked up in the folder that the previous
/// step opened.
///
/// The walk reads and follows symbolic links itself; the system never follows one. The walk therefore knows its
/// position, even if another process replaces names with links in the meantime.
struct PathResolver {
  typealias Name = [UInt8]

  /// The maximum number of links to follow, which is the same as on Linux.
  private static let maximumLinks = 40
  /// The maximum number of steps. It bounds the time for links that repeatedly lead up and down. The system does not
  /// accept a path with more names.
  private static let maximumSteps = 4096

  private let root: Descriptor
  /// The names from `/` to the folder that must contain the file.
  private let outermost: [Name]
  /// The current folder, or nil after a step up, when the walk must restart to reach ``walked``.
  private var folder: Descriptor?
  /// The names from `/` to the current folder. None of these names was a link when the walk passed it.
  private var walked: [Name] = []
  /// The remaining names in reverse order, so the next name is the last element.
  private var ahead: [Name]

  /// - Parameters:
  ///   - outermost: The path of the folder, without links.
  ///   - path: The path of the file, relative to the folder.
  init?(from outermost: [UInt8], along path: [UInt8]) throws(NoDescriptor) {
    guard let root = try Descriptor(open("/", Self.folderFlags)) else { return nil }
    self.root = root
    folder = root
    self.outermost = Self.names(outermost).filter { !$0.isEmpty }
    ahead = self.outermost + Self.names(path)
    ahead.reverse()
  }

  /// Returns the components of a path. If the path ends with a separator, the last name is empty, and the rest must
  /// lead to a folder.
  static func names(_ path: [UInt8]) -> [Name] {
    path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// Walks to the end and opens the file there. Returns nil if there is no readable regular file or if it is outside
  /// the folder.
  mutating func openFile() throws(NoDescriptor) -> OpenFile? {
    var links = 0
    for _ in 0..<Self.maximumSteps {
      guard let name = ahead.popLast() else { return nil }
      if name.isEmpty || name.elementsEqual(".".utf8) { continue }
      if name.elementsEqual("..".utf8) {
        // Do not use the system's "..", because the open folder may have been moved, and its parent may be anywhere.
        _ = walked.popLast()
        folder = nil
        continue
      }
      guard let folder else {
        ahead.append(name)
        ahead += walked.reversed()
        restart()
        continue
      }
      switch try lookUp(name, in: folder, mayOpen: ahead.isEmpty && walked.starts(with: outermost)) {
      case .folder(let next):
        self.folder = next
        walked.append(name)
      case .link(let target):
        links += 1
        guard links <= Self.maximumLinks else { return nil }
        if target.first == UInt8(ascii: "/") { restart() }
        ahead += Self.names(target).reversed()
      case .file(let file): return file
      case .exchanged: ahead.append(name)
      case .nothing: return nil
      }
    }
    return nil
  }

  private mutating func restart() {
    walked = []
    folder = root
  }

  /// The kind of object that a name refers to.
  private enum Entry {
    case folder(Descriptor)
    case link([UInt8])
    case file(OpenFile)
    /// The name now refers to a different kind of object than when the walk checked it.
    case exchanged
    case nothing
  }

  private func lookUp(_ name: Name, in folder: Descriptor, mayOpen: Bool) throws(NoDescriptor) -> Entry {
    var status = stat()
    guard withPath(name, { fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFLNK: if let target = Self.target(of: name, in: folder) { return .link(target) }
    case S_IFDIR: if let next = try Self.entry(name, of: folder, Self.folderFlags) { return .folder(next) }
    case S_IFREG where mayOpen:
      if let opened = try Self.entry(name, of: folder, OpenFile.flags) {
        return OpenFile(opened).map(Entry.file) ?? .nothing
      }
    default: return .nothing
    }
    return [EINVAL, ELOOP, ENOTDIR].contains(errno) ? .exchanged : .nothing
  }

  private static func entry(_ name: Name, of folder: Descriptor, _ flags: Int32) throws(NoDescriptor) -> Descriptor? {
    try Descriptor(withPath(name) { openat(folder.number, $0, flags | O_NOFOLLOW) })
  }

  private static func target(of link: Name, in folder: Descriptor) -> [UInt8]? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      let count = withPath(link) { readlinkat(folder.number, $0, buffer.baseAddress!, buffer.count) }
      return count < 0 ? nil : buffer.prefix(count).map { UInt8(bitPattern: $0) }
    }
  }

  #if os(Linux)
    /// The flags for opening a folder. The flag O_PATH, which the headers define only for programs with GNU extensions,
    /// also opens a folder that is not readable.
    private static let folderFlags = O_DIRECTORY | O_CLOEXEC | 0o10000000
  #else
    private static let folderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
  #endif
}
