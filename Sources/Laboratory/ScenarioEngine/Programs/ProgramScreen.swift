package import FetcherModel
package import ScenarioFormat

/// The content of one view, for a client that draws the program.
package struct ProgramScreen: Sendable, Equatable {
  /// A row of a list.
  package struct Row: Sendable, Equatable {
    /// The name of the row in steps, such as the id of an image.
    package let id: String
    package let title: String
    package var detail: String?
    /// The state of the row's image, or nil if the row has no image.
    package var state: Scenario.ImageStateName?
    /// The picture of the row's image, if it is loaded.
    package var picture: Picture?
    package var isSelected = false
    package var isMarked = false

    init(_ id: String, title: String? = nil, detail: String? = nil) {
      (self.id, self.detail) = (id, detail)
      self.title = title ?? id
    }

    /// Creates the row of an image. Reading its state starts no fetch.
    @MainActor init(_ id: String, _ image: IFImage?, isSelected: Bool) {
      self.init(id)
      self.isSelected = isSelected
      state = image.map { Scenario.ImageStateName($0.state) } ?? .idle
      if case .loaded(let picture) = image?.state { self.picture = picture }
    }
  }

  /// The name of the view in steps.
  package let view: String
  package let isVisible: Bool
  package var title: String?
  package var rows: [Row] = []
  /// Whether the view has an area for a picture.
  package var hasPicture = false
  /// The picture, the placeholder, or nil if the view shows nothing.
  package var picture: Picture?
  package var isLoading = false
  /// The message below the picture, or nil.
  package var problem: String?
  /// The message of an alert, or nil.
  package var alert: String?
  /// The result of an action that the view reports, or nil.
  package var message: String?

  init(_ view: String, isVisible: Bool) { (self.view, self.isVisible) = (view, isVisible) }
}
