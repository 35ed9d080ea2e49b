import EventBus
import FetcherModel
import Foundation
import OriginServer
import ScenarioFormat

/// Photorama and SooGreyhounds: one photo service with two configurations.
enum PhotoSystem {
  static let photorama = SystemExample(
    name: "photorama", title: "Photorama", summary: "recent photos of a web service, and an upload"
  ) { stage in
    try await run(stage, keyVariable: "PHOTORAMA_API_KEY") { .photorama(apiKey: $0, baseURL: $1) }
  }

  static let sooGreyhounds = SystemExample(
    name: "soogreyhounds", title: "SooGreyhounds", summary: "the same with another endpoint and method"
  ) { stage in
    try await run(stage, keyVariable: "SOOGREYHOUNDS_API_KEY") { .sooGreyhounds(apiKey: $0, baseURL: $1) }
  }

  private static let names = ["sunset-10.jpeg", "mountains-11.png", "moon-20.gif", "waves-14.webp"]

  private static func run(
    _ empty: SystemStage, keyVariable: String, _ makeService: (APIKey, URL) -> PhotoService
  ) async throws {
    let key = try key(keyVariable, empty)
    let service = makeService(key, empty.origin.baseURL.appending(path: "services/rest"))
    // The whole target, so that the origin answers only to the right method, parameters and key.
    let listPath = String(service.listAddress.dropFirst(empty.origin.baseURL.absoluteString.count - 1))
    let stage = empty.serving(
      [
        OriginRoute(path: listPath, json(list(empty))),
        OriginRoute(path: "/upload", json(#"{"stored": true}"#, status: 201)),
      ] + names.map { empty.route(toPicture: $0) })
    let answers = stage.tellAnswers()
    defer { answers.cancel() }

    let store = PhotoStore(service, in: stage.environment)
    stage.say("request", "GET \(service.baseURL.path)?method=\(service.listMethod)&... with \(key)")
    let photos = try await stage.attempt("the list of photos", at: listPath) { try await store.fetchPhotos() }
    stage.say("model", "Successfully found \(photos.count) photos; an entry without an address was left out.")
    for photo in photos { stage.say("photo", "\(photo.id)  \(photo.dateTaken.formatted(.iso8601))  \(photo.title)") }

    guard let first = photos.first else { return }
    let picture = try await stage.attempt("picture “\(first.title)”", at: first.remoteURL.path) {
      try await store.image(of: first).load()
    }
    stage.say("page", "\(first.title): \(picture.width) x \(picture.height) \(picture.format.rawValue)", .green)
    try await upload(picture, store, stage)
  }

  private static func upload(_ picture: Picture, _ store: PhotoStore, _ stage: SystemStage) async throws {
    stage.say("request", "POST /upload, Content-Length: \(picture.bytes.count), Accept: application/json")
    let before = stage.origin.counters.bytesReceived
    try await stage.attempt("the upload", at: "/upload") {
      let result = await withCheckedContinuation { continuation in
        store.upload(picture, to: stage.address("/upload")) { continuation.resume(returning: $0) }
      }
      _ = try result.get()
    }
    stage.say("origin", "received \(stage.origin.counters.bytesReceived - before) bytes")
  }

  /// The user's key, or one that is good for the origin of this example only.
  private static func key(_ variable: String, _ stage: SystemStage) throws -> APIKey {
    if let key = try? APIKey(variable: variable) {
      stage.say("settings", "the API key comes from \(variable)")
      return key
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "api-key")
    try Data(UUID().uuidString.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    stage.say("settings", "the API key comes from a file, as \(variable) is not set")
    return try APIKey(variable: variable, file: file)
  }

  private static func list(_ stage: SystemStage) -> String {
    let entries = names.enumerated().map { index, name in
      let title = name.prefix { $0 != "." }
      return """
        {"id": "\(index + 1)", "owner": "1", "title": "\(title)", "datetaken": "2017-01-01 12:0\(9 - index):06", \
        "url_h": "\(stage.address("/" + name))"}
        """
    }
    let withoutAddress = #"{"id": "9", "title": "lost", "datetaken": "2017-01-01 11:00:00"}"#
    return #"{"photos": {"page": 1, "photo": [\#((entries + [withoutAddress]).joined(separator: ", "))]}}"#
  }

  private static func json(_ text: String, status: Int = 200) -> OriginResponse {
    OriginResponse(status: status, headers: [("Content-Type", "application/json")], body: .text(text))
  }
}
