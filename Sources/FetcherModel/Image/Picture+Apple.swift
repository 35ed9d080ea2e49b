// The images of Apple's frameworks. `Scripts/check-compiler` compiles this file on Linux against stubs of the
// frameworks.

#if canImport(UIKit)
  public import UIKit

  extension Picture {
    /// The picture for UIKit, with the orientation that its file states, or nil if the system cannot decode it.
    /// Each read creates an image, so keep the result.
    public var uiImage: UIImage? { UIImage(data: bytes) }

    /// The picture for Core Graphics, without its orientation, or nil if the system cannot decode it.
    public var cgImage: CGImage? { uiImage?.cgImage }
  }
#elseif canImport(AppKit)
  public import AppKit

  extension Picture {
    /// The picture for AppKit, with the orientation that its file states, or nil if the system cannot decode it.
    /// Each read creates an image, so keep the result.
    public var nsImage: NSImage? { NSImage(data: bytes) }

    /// The picture for Core Graphics, or nil if the system cannot decode it.
    public var cgImage: CGImage? { nsImage?.cgImage(forProposedRect: nil, context: nil, hints: nil) }
  }
#endif
