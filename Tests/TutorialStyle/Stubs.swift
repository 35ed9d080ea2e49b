import Foundation

// The parts of UIKit that the examples use. UIKit does not exist on Linux.

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

/// Runs of the examples, with which tests check the statements of the page.
package enum StyleRuns {}
