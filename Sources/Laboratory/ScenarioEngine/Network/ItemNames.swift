import Bytes
import Foundation
import VirtualTime

/// Names what runs in virtual time in the words of the scenario: `step 3`, `answer B`. A name is made only where a schedule is
/// written down, so that a search over thousands of them does not pay for it.
struct ItemNames: Sendable {
  /// Nil in real time, where nothing has a name.
  var runtime: VirtualRuntime?
  /// The address of each image, by its id.
  var addresses: [String: String] = [:]

  /// The running item is this.
  func name(_ text: @autoclosure () -> String, onlyLooks: Bool = false) { runtime?.name(text(), onlyLooks: onlyLooks) }

  /// The running item is a part of the answer to a request.
  ///
  /// - Parameter part: empty for its head.
  func name(answer url: URL, _ part: String) {
    runtime?.name("answer \(images(at: url))\(part.isEmpty ? "" : ", \(part)")")
  }

  /// The images at an address, or its path where there is none.
  private func images(at url: URL) -> String {
    let images = addresses.filter { $0.value == url.absoluteString }.keys.sorted()
    return images.isEmpty ? url.path.withoutCredentials : images.joined(separator: "/")
  }
}
