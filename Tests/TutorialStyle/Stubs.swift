import Foundation

// What the examples need of UIKit, which does not exist on Linux.

class UIImage {
  init?(data: Data) {}
  init?(named name: String) {}
}

class UIImageView {
  var image: UIImage?
}

class UIViewController {
  func viewWillAppear(_ animated: Bool) {}
  func viewWillDisappear(_ animated: Bool) {}
}

/// Runs of the examples, for the tests of what the page says of them.
package enum StyleRuns {}
