/// Why bytes are no line of a head.
package enum LineFault: Error {
  case tooLong
  /// A line feed without its carriage return.
  case bareLineFeed
}

/// Takes the next line, without its end, off the bytes; nil when it is not complete.
///
/// - Parameter limit: how many bytes it may have.
package func nextLine(
  _ rest: inout Slice<UnsafeRawBufferPointer>, limit: Int
) throws(LineFault) -> Slice<UnsafeRawBufferPointer>? {
  guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
    guard rest.count <= limit else { throw .tooLong }
    return nil
  }
  guard end - rest.startIndex <= limit else { throw .tooLong }
  guard end > rest.startIndex, rest[end - 1] == UInt8(ascii: "\r") else { throw .bareLineFeed }
  let line = rest[rest.startIndex..<end - 1]
  rest = rest[(end + 1)...]
  return line
}
