// What the package uses of AppKit.
import Foundation

public final class CGImage {}

public class NSImage {
  public init?(data: Data) {}
  public func cgImage(forProposedRect: UnsafeMutablePointer<CGRect>?, context: AnyObject?, hints: [String: Any]?)
    -> CGImage?
  {
    nil
  }
}
