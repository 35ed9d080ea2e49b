import FetcherModel
import FetcherViews
import Foundation

#if canImport(UIKit)
  import SwiftUI
  import UIKit
#else
  // The parts of SwiftUI that the example uses, so that the compiler checks the example on systems without SwiftUI.
  @MainActor private protocol View {
    associatedtype Body
    @ViewBuilder var body: Body { get }
  }

  @resultBuilder private enum ViewBuilder {
    static func buildBlock<Part>(_ part: Part) -> Part { part }
    static func buildBlock<each Part>(_ parts: repeat each Part) -> (repeat each Part) { (repeat each parts) }
    static func buildOptional<Part>(_ part: Part?) -> Part? { part }
  }

  private struct Text {
    init(_ text: String) {}
  }

  private struct Image {
    init(uiImage: UIImage) {}
  }

  private final class UIImage {
    init?(data: Data) { nil }
  }

  private struct VStack<Content>: View {
    init(@ViewBuilder _ content: () -> Content) {}
    var body: Never { fatalError("A stub has no body.") }
    func onAppear(perform action: @escaping @MainActor () -> Void) -> Self { self }
    func onDisappear(perform action: @escaping @MainActor () -> Void) -> Self { self }
  }
#endif

// snippet
private struct PictureView: View {
  let screen: ImageScreen

  var body: some View {
    VStack {
      Text(screen.title ?? "")
      if let picture = screen.picture, let image = UIImage(data: picture.bytes) { Image(uiImage: image) }
      if let problem = screen.problem { Text(problem) }
    }
    .onAppear { screen.appear() }
    .onDisappear { screen.disappear() }
  }
}
// end
