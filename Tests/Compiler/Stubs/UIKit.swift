// What the package uses of UIKit.
import Foundation

public final class CGImage {}

public class UIImage {
  public init?(data: Data) {}
  public var cgImage: CGImage? { nil }
}
