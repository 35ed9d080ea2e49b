import EventBus
import FetcherModel
import FetcherViews
import Foundation
import PlainText
import ScenarioFormat
import TutorialApps

/// Photorama and SooGreyhounds. Both apps have one page, which lists the photos from a service and shows the picture of
/// one photo.
final class PhotoPages: SystemPages {
  nonisolated static let controls = ["reload", "list", "search", "upload"]
  /// The upload address is optional, because a service may not accept pictures.
  nonisolated static let optionalSetting = "PhotoUploadUrl"
  nonisolated private static let view = "photos"
  nonisolated static let steps = [
    "appear": [view], "disappear": [view], "select": [view], "deselect": [view], "tap": [view], "cancel": [],
    "switch": [],
    "send": [],
  ]

  private let stage: PageStage
  private let store: PhotoStore
  private let page: PhotosViewController
  private let uploadAddress: String?
  private var uploads = 0
  /// The result of the last upload, until the next step.
  private var message: String?

  init(_ stage: PageStage) throws(ServiceError) {
    guard let key = stage.key else { throw .missingConfiguration("the API key") }
    self.stage = stage
    store = PhotoStore(try PhotoService(stage.settings, apiKey: key), in: stage.environment)
    uploadAddress = try? stage.settings.url(Self.optionalSetting).absoluteString
    page = PhotosViewController(store, in: stage.environment, name: Self.view) { screen in
      stage.draw(Self.view, screen) { photos in
        "\(photos.count.counted("photo")): " + photos.map(\.title).joined(separator: ", ")
      }
    } onDrawPhoto: { screen in
      stage.draw(Self.view, screen)
    }
  }

  func perform(_ action: Scenario.Action) -> Bool {
    message = nil
    switch action {
    case .appear(Self.view): page.viewWillAppear()
    case .disappear(Self.view): page.viewWillDisappear()
    case .select(let title, Self.view):
      guard let photo = photos.first(where: { $0.title == title }) else { return false }
      page.select(photo)
    case .deselect(Self.view): page.select(nil)
    case .tap("reload", _): page.list.reload()
    case .tap("list", _): page.show(nil)
    case .cancel(let title):
      guard let image = images[title] else { return false }
      image.cancel()
    case .tap("upload", _): return upload()
    case .tap(let control, _): page.show(.search(String(control.drop { $0 != " " }.dropFirst())))
    default: break
    }
    return true
  }

  /// Sends the picture, and shows the response. This method uses a completion handler instead of an event, because only
  /// this page needs the response, only once, and the store does not keep it.
  ///
  /// - Returns: false if there is no picture or no address.
  private func upload() -> Bool {
    guard let uploadAddress, case .loaded(let picture) = page.photo.image?.state else { return false }
    uploads += 1
    store.upload(picture, to: uploadAddress) { [self] result in
      stage.context.runtime.assumeMainActor { uploaded(result) }
    }
    return true
  }

  private func uploaded(_ result: Result<FetchedBody, PhotoUploadError>) {
    uploads -= 1
    switch result {
    case .success(let answer):
      let text = "uploaded" + (answer.status.map { ", status \($0)" } ?? "")
      message = text
      stage.show(text, on: Self.view)
    case .failure(let error):
      message = error.text
      stage.show(error, on: Self.view)
    }
  }

  private var photos: [Photo] { page.list.screen.list ?? [] }

  var isIdle: Bool { !page.list.isLoading && uploads == 0 }
  var visible: [String: Bool] { [Self.view: page.list.isVisible] }

  var screens: [ProgramScreen] {
    var screen = ProgramScreen(Self.view, page.list, isVisible: page.list.isVisible) { photos in
      photos.map { photo in
        let image = store.image(of: photo)
        return ProgramScreen.Row(photo.title, image, isSelected: page.photo.image === image)
      }
    }
    let photo = ProgramScreen(Self.view, page.photo)
    screen.title = page.title
    (screen.hasPicture, screen.picture, screen.problem) = (true, photo.picture, photo.problem)
    screen.isLoading = screen.isLoading || photo.isLoading
    screen.message = message
    return [screen]
  }

  var images: [String: IFImage] {
    Dictionary(photos.map { ($0.title, store.image(of: $0)) }) { first, _ in first }
  }

  func close() { page.viewWillDisappear() }
}
