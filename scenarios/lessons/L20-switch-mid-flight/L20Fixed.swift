/// Shows a picture from the current source.
@MainActor final class PictureFrame {
  typealias Load = @Sendable (String) async -> String?

  private var source: String
  private var load: Load
  private let show: @MainActor (String) -> Void
  private var opened = ""
  private var loads = 0

  init(
    source: String, load: @escaping Load,
    show: @escaping @MainActor (String) -> Void
  ) {
    self.source = source
    self.load = load
    self.show = show
  }

  func open(_ picture: String) {
    opened = picture
    reload()
  }

  func use(_ source: String, load: @escaping Load) {
    self.source = source
    self.load = load
    reload()
  }

  private func reload() {
    let (picture, load) = (opened, load)
    loads += 1
    let number = loads
    Task(name: "load from the \(source)") {
      guard let image = await load(picture) else { return }
      guard loads == number else { return }
      show(image)
    }
  }
}
