/// Which view has which image selected, looked up from either side.
struct Selections {
  private var images: [String: String] = [:]
  private var views: [String: Set<String>] = [:]

  /// The image selected in a view.
  subscript(view: String) -> String? {
    get { images[view] }
    set {
      if let old = images.removeValue(forKey: view) { views[old]?.remove(view) }
      guard let newValue else { return }
      images[view] = newValue
      views[newValue, default: []].insert(view)
    }
  }

  /// Selects nothing in the views that have this image selected, and returns them.
  mutating func letGo(of image: String) -> Set<String> {
    let letGo = views.removeValue(forKey: image) ?? []
    for view in letGo { images[view] = nil }
    return letGo
  }
}
