import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import TestMachine
import Testing
import TutorialApps

@Suite struct PhotoServiceTests {
  private func key(_ text: String = "k") throws -> APIKey { try APIKey(variable: "K", environment: ["K": text]) }

  @Test("The query items of Photorama's list address have a fixed order")
  func photorama() throws {
    #expect(
      PhotoService.photorama(apiKey: try key()).listAddress
        == "https://api.flickr.com/services/rest?method=flickr.photos.getRecent&format=json&nojsoncallback=1&api_key=k"
        + "&extras=url_h,date_taken")
  }

  @Test("SooGreyhounds' list address differs from Photorama's only in the endpoint and the method")
  func sooGreyhounds() throws {
    #expect(
      PhotoService.sooGreyhounds(apiKey: try key()).listAddress
        == "https://api.soogreyhounds.gutty.ca/services/rest?method=soogreyhounds.photos.getList&format=json"
        + "&nojsoncallback=1&api_key=k&extras=url_h,date_taken")
  }

  @Test(
    "The address encodes an API key with reserved characters so that it is read back unchanged",
    arguments: ["a+b&c=d e%f", "ä/?#"])
  func keyIsEncoded(text: String) throws {
    let address = PhotoService.photorama(apiKey: try key(text)).listAddress
    #expect(!address.contains("+"))
    let items = URLComponents(string: address)?.queryItems
    #expect(items?.first { $0.name == "api_key" }?.value == text)
    #expect(items?.map(\.name) == ["method", "format", "nojsoncallback", "api_key", "extras"])
  }
}

extension NetworkSuite {
  @Suite struct PhotoStoreTests {
    private static func photo(
      _ id: String, title: String? = #""t""#, date: String? = #""2017-01-01 12:32:06""#, url: String? = nil
    ) -> String {
      let fields = [("id", id), ("title", title), ("datetaken", date), ("url_h", url)]
      return "{" + fields.compactMap { field in field.1.map { "\"\(field.0)\": \($0)" } }.joined(separator: ", ") + "}"
    }

    private static func list(_ photos: String...) -> String {
      #"{"photos": {"page": 1, "photo": [\#(photos.joined(separator: ", "))]}}"#
    }

    /// Creates a store. The origin responds only to the complete target, with the right method, parameters, and key.
    private func store(
      _ strategy: StrategyName, _ response: OriginResponse,
      service: (APIKey, URL) -> PhotoService = { .photorama(apiKey: $0, baseURL: $1) }
    ) throws -> (store: PhotoStore, workbench: Workbench) {
      let workbench = try Workbench(strategy)
      let key = try APIKey(variable: "K", environment: ["K": "key"])
      let service = service(key, workbench.origin.baseURL.appending(path: "services/rest"))
      let target = String(service.listAddress.dropFirst(workbench.origin.baseURL.absoluteString.count - 1))
      let picture = OriginRoute(path: "/a.png", OriginResponse(body: .data(Sample.png.bytes)))
      workbench.origin.replace(OriginContent(routes: [picture, OriginRoute(path: target, response)]))
      return (PhotoStore(service, in: workbench.environment), workbench)
    }

    @Test("With every strategy, the list and a picture arrive on main", arguments: Workbench.strategies)
    func listAndPicture(strategy: StrategyName) async throws {
      let text = Self.list(Self.photo(#""7""#, title: #""Goal""#, url: #""ADDRESS""#))
      let (store, workbench) = try store(strategy, OriginResponse())
      let target = String(store.service.listAddress.dropFirst(workbench.origin.baseURL.absoluteString.count - 1))
      workbench.origin.replace(
        OriginContent(routes: [
          OriginRoute(path: "/a.png", OriginResponse(body: .data(Sample.png.bytes))),
          OriginRoute(
            path: target,
            OriginResponse(body: .text(text.replacing("ADDRESS", with: workbench.address("/a.png"))))),
        ]))
      let (photos, isListOnMain) = await workbench.result { store.fetchPhotos(completion: $0) }
      let photo = try #require(try photos.get().first)
      #expect(photo.id == "7")
      #expect(photo.title == "Goal")
      #expect(photo.dateTaken == Date(timeIntervalSince1970: 1_483_273_926))
      #expect(photo.remoteURL.absoluteString == workbench.address("/a.png"))
      let (picture, isPictureOnMain) = await workbench.result { store.fetchImage(for: photo, completion: $0) }
      #expect(try picture.get().bytes == Sample.png.bytes)
      #expect(isListOnMain && isPictureOnMain)
    }

    @Test("One store implementation finds the photos of both services", arguments: [0, 1])
    func configurations(index: Int) async throws {
      let services: [(APIKey, URL) -> PhotoService] = [
        { .photorama(apiKey: $0, baseURL: $1) }, { .sooGreyhounds(apiKey: $0, baseURL: $1) },
      ]
      let body = Self.list(Self.photo("1", url: #""http://localhost/a.png""#))
      let (store, workbench) = try store("async", OriginResponse(body: .text(body)), service: services[index])
      #expect(try await store.fetchPhotos().count == 1)
      #expect(workbench.origin.counters.requests == 1)
    }

    @Test("A photo list skips entries that it cannot use and accepts numeric identifiers")
    func someUsable() async throws {
      let url = #""http://localhost/a.png""#
      let body = Self.list(
        Self.photo("12", url: url), Self.photo(#""13""#), Self.photo("null", url: url),
        Self.photo("14", title: nil, url: url), Self.photo("15", date: #""yesterday""#, url: url),
        Self.photo("16", date: #""2017-01-01 12:32:06 or so""#, url: url), Self.photo("17", url: #""a.png""#), "3",
        Self.photo("18", url: url))
      let (store, workbench) = try store("dataTask", OriginResponse(body: .text(body)))
      #expect(try await store.fetchPhotos().map(\.id) == ["12", "18"])
      #expect(workbench.origin.counters.requests == 1)
    }

    @Test("An empty photo list is valid")
    func empty() async throws {
      let (store, workbench) = try store("dataTask", OriginResponse(body: .text(Self.list())))
      #expect(try await store.fetchPhotos() == [])
      #expect(workbench.origin.counters.requests == 1)
    }

    @Test(
      "A list without usable photos, a body that is not JSON, and a refusal are reported as different errors",
      arguments: [
        (list(photo("1"), photo("2", title: nil)), PhotoListError.invalidJSONData),
        (#"{"photos": {"photo": {}}}"#, .invalidJSONData), (#"{"photos": []}"#, .invalidJSONData),
        ("[]", .invalidJSONData), (#"{"stat": "fail"}"#, .invalidJSONData),
        ("<html>sign in</html>", .notJSON), (#"{"photos": {"#, .notJSON),
        (#"{"stat": "fail", "code": 100, "message": "Invalid API Key"}"#, .refused("“Invalid API Key”")),
      ])
    func noneUsable(body: String, error: PhotoListError) async throws {
      let (store, workbench) = try store("dataTask", OriginResponse(body: .text(body)))
      await #expect(throws: error) { try await store.fetchPhotos() }
      #expect(workbench.origin.counters.requests == 1)
    }

    @Test("A photo keeps its picture when its list is reloaded, and the picture is requested once")
    func keepsPicture() async throws {
      let (store, workbench) = try store("dataTask", OriginResponse())
      let list = Self.list(Self.photo("1", url: "\"\(workbench.address("/a.png"))\""))
      let other = Self.list(Self.photo("2", url: "\"\(workbench.address("/a.png"))\""))
      workbench.origin.replace(
        OriginContent(routes: [
          OriginRoute(path: "/a.png", OriginResponse(body: .data(Sample.png.bytes))),
          OriginRoute(
            path: "/services/rest", responses: [list, list, other].map { OriginResponse(body: .text($0)) }),
        ]))
      let photo = try #require(try await store.fetchPhotos().first)
      let image = store.image(of: photo)
      _ = try await image.load()
      let again = try #require(try await store.fetchPhotos().first)
      #expect(store.image(of: again) === image)
      let (picture, _) = await workbench.result { store.fetchImage(for: again, completion: $0) }
      #expect(try picture.get().bytes == Sample.png.bytes)
      #expect(workbench.origin.counters.requestsByPath["/a.png"] == 1)
      // A list without the photo releases its picture.
      _ = try await store.fetchPhotos()
      #expect(store.image(of: photo) !== image)
    }

    @Test("The store posts the response of a picture request, as it does for a list", arguments: Workbench.seeing)
    func answersOfPictures(strategy: StrategyName) async throws {
      let (store, workbench) = try store(strategy, OriginResponse())
      let answers = Answers(in: workbench.environment)
      let missing = try JSONDecoder().decode(
        Photo.self, from: Data(Self.photo("1", url: "\"\(workbench.address("/gone.png"))\"").utf8))
      let (result, _) = await workbench.result { store.fetchImage(for: missing, completion: $0) }
      #expect(result == .failure(.badStatus(404)))
      #expect(answers.all.map(\.answer.status) == [404])
      #expect(answers.all.first?.answer.url.path == "/gone.png")
    }

    @Test("A photo store can request more than one endpoint")
    func search() async throws {
      let (store, workbench) = try store("async", OriginResponse())
      let target = String(
        store.service.address(of: .search("grey hound")).dropFirst(workbench.origin.baseURL.absoluteString.count - 1))
      #expect(target.contains("method=flickr.photos.search&") && target.hasSuffix("&text=grey%20hound"))
      let found = OriginResponse(body: .text(Self.list(Self.photo("9", url: #""http://localhost/a.png""#))))
      workbench.origin.replace(OriginContent(routes: [OriginRoute(path: target, found)]))
      #expect(try await store.fetchPhotos(.search("grey hound")).map(\.id) == ["9"])
    }

    @Test(
      "An upload fails if the response does not have the expected type",
      arguments: [
        ("application/json", "text/html", "<html></html>"), ("application/json", "application/json", "<html></html>"),
        ("application/json", "application/json", #"{"stored": "#), ("text/plain", "text/html", "<html></html>"),
      ])
    func uploadToAPortal(accepting: String, type: String, body: String) async throws {
      let (store, workbench) = try store("dataTask", OriginResponse())
      let portal = OriginResponse(status: 201, headers: [("Content-Type", type)], body: .text(body))
      workbench.origin.replace(OriginContent(routes: [OriginRoute(path: "/upload", portal)]))
      let picture = try Picture(validating: Sample.png.bytes)
      let (result, _) = await workbench.result {
        store.upload(picture, to: workbench.address("/upload"), accepting: accepting, completion: $0)
      }
      #expect(result.map(\.status) == .failure(.unexpectedAnswer(contentType: type)))
    }

    @Test("A bad status is an error, even if the body is a valid list", arguments: Workbench.strategies)
    func status(strategy: StrategyName) async throws {
      let body = Self.list(Self.photo("1", url: #""http://localhost/a.png""#))
      let (store, workbench) = try store(strategy, OriginResponse(status: 404, body: .text(body)))
      let expected: FetchError = strategy == "blocking" ? .transport(256) : .badStatus(404)
      await #expect(throws: PhotoListError.fetch(expected)) { try await store.fetchPhotos() }
      #expect(workbench.origin.counters.requests == 1)
    }

    @Test("A network failure is reported as a fetch error", arguments: Workbench.strategies)
    func network(strategy: StrategyName) async throws {
      // No server listens on port 1.
      let nowhere = try #require(URL(string: "http://127.0.0.1:1/services/rest"))
      let (store, _) = try store(strategy, OriginResponse()) { key, _ in .photorama(apiKey: key, baseURL: nowhere) }
      let expected: FetchError = .transport(strategy == "blocking" ? 256 : -1004)
      await #expect(throws: PhotoListError.fetch(expected)) { try await store.fetchPhotos() }
    }

    @Test("A store rejects an HTML page in place of a picture", arguments: Workbench.strategies)
    func noImage(strategy: StrategyName) async throws {
      let (store, workbench) = try store(strategy, OriginResponse())
      workbench.origin.replace(
        OriginContent(routes: [OriginRoute(path: "/a.png", OriginResponse(body: .text("<html></html>")))]))
      let json = Self.photo("1", url: "\"\(workbench.address("/a.png"))\"")
      let photo = try JSONDecoder().decode(Photo.self, from: Data(json.utf8))
      let (picture, _) = await workbench.result { store.fetchImage(for: photo, completion: $0) }
      #expect(picture == .failure(.notAnImage))
    }

    @Test("An upload POSTs the picture's bytes with its own Accept and content type, even with the blocking strategy")
    func upload() async throws {
      let catcher = try RequestCatcher()
      let (store, workbench) = try store("blocking", OriginResponse())
      workbench.environment.updateHeaders { $0 = ["Accept": "image/*", "X-Token": "1"] }
      let answers = Answers(in: workbench.environment)
      let picture = try Picture(validating: Sample.png.bytes)
      async let caught = catcher.request()
      let (result, isOnMain) = await workbench.result { store.upload(picture, to: catcher.address, completion: $0) }
      let (head, body) = await caught
      #expect(head.first == "POST /upload HTTP/1.1")
      #expect(head.contains("Content-Length: \(Sample.png.bytes.count)"))
      #expect(head.filter { $0.lowercased().hasPrefix("accept:") } == ["Accept: application/json"])
      #expect(head.contains("X-Token: 1"))
      #expect(head.contains("Content-Type: image/png"))
      #expect(!head.contains { $0.lowercased().hasPrefix("transfer-encoding") })
      #expect(head.filter { $0.lowercased().hasPrefix("connection:") } == ["Connection: close"])
      #expect(body == Sample.png.bytes)
      #expect(try result.get() == FetchedBody(bytes: Data("{}".utf8), status: 201, contentType: "application/json"))
      #expect(isOnMain)
      #expect(answers.all.map(\.answer.status) == [201])
      #expect(answers.all.first?.answer.headers["X-Kept"] == "yes")
    }

    @Test("An upload reports a bad status, and the transport policy blocks plain http to another machine")
    func uploadFails() async throws {
      let (store, workbench) = try store("dataTask", OriginResponse())
      let picture = try Picture(validating: Sample.png.bytes)
      let (missing, _) = await workbench.result {
        store.upload(picture, to: workbench.address("/nowhere"), completion: $0)
      }
      #expect(missing == .failure(.fetch(.badStatus(404))))
      let (blocked, _) = await workbench.result {
        store.upload(picture, to: "http://nowhere.invalid/upload", completion: $0)
      }
      #expect(blocked == .failure(.fetch(.blockedByTransportPolicy)))
    }

    @Test(
      "An upload does not follow a redirect",
      arguments: [302, 307, 308])
    func uploadIsNotRedirected(status: Int) async throws {
      let moved = OriginResponse(status: status, headers: [("Location", "/elsewhere")])
      let (store, workbench) = try store("dataTask", OriginResponse())
      workbench.origin.replace(OriginContent(routes: [OriginRoute(path: "/moved", moved)]))
      let picture = try Picture(validating: Sample.png.bytes)
      let (result, _) = await workbench.result {
        store.upload(picture, to: workbench.address("/moved"), completion: $0)
      }
      #expect(result == .failure(.fetch(.badStatus(status))))
      #expect(workbench.origin.counters.requestsByPath["/elsewhere"] == nil)
    }

    @Test("An upload whose connection is dropped fails without a retry, and each upload uses a separate connection")
    func uploadIsDropped() async throws {
      let store = try store("dataTask", OriginResponse()).store
      let catchers = try Workbench("dataTask", [], limits: FetchLimits(deadline: .seconds(5)))
      let taken = OriginResponse(status: 201, body: .text("{}"))
      catchers.origin.replace(
        OriginContent(routes: [
          OriginRoute(path: "/upload", responses: [taken, OriginResponse(fault: .closeBeforeHeaders), taken])
        ]))
      let photos = PhotoStore(store.service, in: catchers.environment)
      let picture = try Picture(validating: Sample.png.bytes)
      var results: [Result<Int?, PhotoUploadError>] = []
      for _ in 0..<3 {
        let (result, _) = await catchers.result {
          photos.upload(picture, to: catchers.address("/upload"), completion: $0)
        }
        results.append(result.map(\.status))
      }
      #expect(results == [.success(201), .failure(.fetch(.transport(-1011))), .success(201)])
      #expect(catchers.origin.counters.requestsByPath == ["/upload": 3])
      #expect(catchers.origin.counters.connections == 3)
      #expect(catchers.origin.counters.bytesReceived == 3 * Sample.png.bytes.count)
    }

    @Test("No event contains the API key, a query, or credentials", arguments: Workbench.seeing)
    func noSecrets(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy)
      let answers = Answers(in: workbench.environment)
      let key = "SECRET-7"
      let leaks = OriginResponse(
        status: 302,
        headers: [
          ("Location", "http://user:PASSWORD@10.0.0.1/\(key)?extras=a,b&api_key=\(key)"), ("X-Echo", "for \(key)."),
          ("Refresh", "0; url=//user:PASSWORD@10.0.0.1/x?token=PASSWORD#PASSWORD"),
          ("Link", #"</next?token=PASSWORD>; rel="next""#),
        ])
      workbench.origin.replace(OriginContent(fallback: leaks))
      let base = workbench.origin.baseURL.absoluteString.replacing("http://", with: "http://user:PASSWORD@")
      let service = PhotoService.photorama(
        apiKey: try APIKey(variable: "K", environment: ["K": key]), baseURL: URL(string: base + key))
      await #expect(throws: PhotoListError.fetch(.blockedByTransportPolicy)) {
        try await PhotoStore(service, in: workbench.environment).fetchPhotos()
      }
      let answer = try #require(answers.all.first?.answer)
      for text in answer.headers.map(\.value) + [answer.url.absoluteString] {
        #expect(!text.contains(key) && !text.contains("PASSWORD") && !text.contains("?"), "\(text)")
      }
      let fields = Dictionary(answer.headers.map { ($0.name, $0.value) }) { first, _ in first }
      #expect(fields["Location"] == "http://10.0.0.1/…")
      #expect(fields["Link"] == #"</next>; rel="next""#)
      #expect(fields["X-Echo"] == "for ….")
      #expect(answer.url.host == "127.0.0.1")
    }

    @Test("The sources contain no API key")
    func noKeyInSources() throws {
      let sources = packageRoot.appending(path: "Sources")
      let files =
        FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
        .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
      #expect(files.count > 50)
      for file in files {
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains(/(?i)api_?key"?\s*[:=,]\s*"[^"\\]/), "\(file.lastPathComponent)")
      }
    }
  }
}
