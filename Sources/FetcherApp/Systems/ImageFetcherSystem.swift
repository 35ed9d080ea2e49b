import EventBus
import FetcherModel
import FetcherViews
import Foundation
import OriginServer
import ScenarioEngine

/// ImageFetcher: a split view with a list of favourites on one side and the chosen picture on the other.
enum ImageFetcherSystem {
  static let example = SystemExample(
    name: "image-fetcher", title: "ImageFetcher", summary: "a list of favourites; choosing one fetches and shows it",
    run: run)

  private static func run(_ empty: SystemStage) async throws {
    let catalogue = try Catalogue(contentsOf: empty.pictures.appending(path: "holidayslideshow.json"))
    let stage = empty.serving(catalogue.entries.map { empty.route(toPicture: $0.file, latency: .milliseconds(50)) })
    let favourites = catalogue.images(base: stage.origin.baseURL, in: stage.environment)
    let split = split(catalogue.title, favourites, stage)
    let subscriptions = listen(stage)
    defer { for subscription in subscriptions { subscription.cancel() } }
    let runtime = stage.environment.runtime

    await runtime.onMain { split.viewWillAppear() }
    for (row, favourite) in favourites.prefix(2).enumerated() {
      try await stage.attempt("picture “\(favourite.name)”", at: "/" + catalogue.entries[row].file) {
        let result = await withCheckedContinuation { continuation in
          runtime.main.schedule {
            stage.say("user", "chooses “\(favourite.name)”", .yellow)
            split.select(row)
            favourite.load { continuation.resume(returning: $0) }
          }
        }
        _ = try result.get()
      }
    }
    await runtime.onMain {
      stage.say("user", "goes back", .yellow)
      split.goBack()
      split.viewWillDisappear()
    }
    let requests = stage.origin.counters.requests
    stage.say("origin", "\(requests) requests; \(favourites.count - 2) pictures were never chosen, so never fetched")
    await tellPolicy(stage)
  }

  private static func split(
    _ title: String, _ favourites: [IFImage], _ stage: SystemStage
  ) -> SplitViewController {
    let list = ListViewController(title, favourites, in: stage.environment) { rows in
      stage.say("list", "\(rows.count) favourites: \(rows.prefix(3).joined(separator: ", ")), ...", .green)
    }
    let detail = ImageViewController(in: stage.environment) { screen in
      guard let title = screen.title, let picture = screen.picture else { return }
      let what =
        picture.isPlaceholder
        ? "placeholder “\(picture.name ?? "")”" : "\(picture.width) x \(picture.height) \(picture.format.rawValue)"
      stage.say("page", "\(title): \(what)", .green)
    }
    return SplitViewController(list, detail, layout: .collapsed, in: stage.environment)
  }

  private static func listen(_ stage: SystemStage) -> [Subscription] {
    let bus = stage.environment.bus
    return [
      bus.subscribe(to: ImageFetchStarted.self, on: .main) {
        stage.say("model", "ImageFetchStarted: \($0.name), by \($0.strategy)")
      },
      bus.subscribe(to: ImageFetched.self, on: .main) {
        stage.say("model", "ImageFetched: \($0.name), \($0.byteCount) bytes")
      },
      bus.subscribe(to: ImageFetchFailed.self, on: .main) { stage.say("model", "ImageFetchFailed: \($0.name)") },
    ]
  }

  /// The rule of App Transport Security: the picture below is never asked for.
  private static func tellPolicy(_ stage: SystemStage) async {
    let elsewhere = IFImage("elsewhere", "http://example.org/a.png", in: stage.environment)
    do {
      _ = try await elsewhere.load()
    } catch {
      stage.say("policy", error.message(for: elsewhere.url))
    }
  }
}
