import HTTPWire

extension HeadWriter {
  /// The head of a response.
  init(status: Int) { self.init("HTTP/1.1 \(status) \(reasonPhrase(status))") }
}
