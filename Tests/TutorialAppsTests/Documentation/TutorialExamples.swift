import EventBus
import FetcherModel
import FetcherViews
import Foundation
import Testing
import TutorialApps
import VirtualTime

/// The examples of the page “From the tutorials”. The transport policy blocks their addresses, so no request is sent.
@Suite("The examples on the page “From the tutorials” behave as documented") struct TutorialExamples {
  private let environment = FetchEnvironment(cache: ImageCache())
  private let shown = Locked<[Picture]>([])
  private let reports = AsyncStream.makeStream(of: String.self)

  private func show(_ picture: Picture?) { shown.withLock { shown in picture.map { shown.append($0) } } }
  private func report(_ something: some Sendable) { reports.continuation.yield("\(something)") }
  private func nextReport() async -> String? { await reports.stream.first { _ in true } }

  private func image(_ name: String) throws -> IFImage {
    let json = #"{"slides": [{"title": "\#(name)", "file": "http://example.org/\#(name).png"}]}"#
    let catalog = try Catalog(data: Data(json.utf8), name: "the list")
    return try #require(catalog.images(base: URL(filePath: "/"), in: environment).first)
  }

  private var settings: ServiceConfiguration {
    ServiceConfiguration([
      "SlideWebServiceUrl": "http://example.org/list.json", "ImageBaseUrl": "http://example.org/",
    ])
  }

  private func store() throws -> PhotoStore {
    let key = try APIKey(variable: "K", environment: ["K": "k"])
    return PhotoStore(.photorama(apiKey: key, baseURL: URL(string: "http://example.org/rest")), in: environment)
  }

  @Test("Reading an image does not block and returns the placeholder until the fetch ends") func image() throws {
    let image = try image("sunset")
    // snippet
    show(image.image)  // never blocks: returns the placeholder and starts a fetch
    report(image.state)  // never fetches: idle, fetching, loaded or failed
    // end
    #expect(shown.withLock(\.self) == [.placeholder])
  }

  @Test("A newly selected strategy applies only to later fetches") func strategy() throws {
    let (sunset, dunes) = (try image("sunset"), try image("dunes"))
    // snippet
    show(sunset.image)  // fetched by the current strategy
    try environment.select(.downloadTask)
    show(dunes.image)  // fetched by a download task; the fetch of sunset keeps its strategy
    // end
    #expect(environment.strategy.name == "downloadTask")
  }

  @Test("A failed fetch posts an event") func events() async throws {
    let image = try image("sunset")
    // snippet
    let fetched = environment.bus.subscribe(to: ImageFetched.self, key: image.id, on: .main) { event in
      show(event.picture)
    }
    let failed = environment.bus.subscribe(to: ImageFetchFailed.self, key: image.id, on: .main) { event in
      report(event.error)
    }
    // end
    show(image.image)
    #expect(await nextReport() == "\(FetchError.blockedByTransportPolicy)")
    for subscription in [fetched, failed] { subscription.cancel() }
  }

  @Test("A page is subscribed only while it is visible") @MainActor func page() throws {
    let bus = environment.bus
    let page = PicturePage(try image("sunset"), bus)
    page.viewWillAppear()
    #expect(bus.subscriberCount(for: ImageFetched.self) == 1)
    #expect(page.picture == .placeholder)
    page.viewWillDisappear()
    #expect(bus.subscriberCount(for: ImageFetched.self) == 0)
  }

  @Test("The transport policy is read from the property list") func policy() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(
      """
      <plist version="1.0"><dict><key>NSAppTransportSecurity</key>
      <dict><key>NSAllowsArbitraryLoads</key><true/></dict></dict></plist>
      """.utf8
    ).write(to: file)
    let propertyList = file
    // snippet
    let settings = try ServiceConfiguration(contentsOf: propertyList)
    let environment = FetchEnvironment(policy: settings.transportPolicy)
    // end
    #expect(environment.policy.allowsArbitraryLoads)
  }

  @Test("The error for a missing setting names it") func settingsAreRead() async throws {
    // snippet
    let settings = ServiceConfiguration(["ImageBaseUrl": "http://localhost:8000/"])
    do throws(ServiceError) {
      _ = try SlideManager(settings, in: environment)
    } catch {
      report(error)  // configuration: “SlideWebServiceUrl” is missing; add it
    }
    // end
    #expect(await nextReport() == "configuration: “SlideWebServiceUrl” is missing; add it")
  }

  @Test("A slideshow reads the tutorial's JSON file") func slideshow() throws {
    // snippet
    let json = #"{"title": "Holiday", "slides": [{"id": 10, "file": "waves.jpeg"}]}"#
    let slide = try Slideshow(data: Data(json.utf8)).slides[0]
    report(slide)  // its id is "10", its title is the file name, and it is not a favorite
    // end
    #expect(slide == Slide(id: "10", title: "waves.jpeg", imgFileName: "waves.jpeg"))
  }

  @Test("A slide manager throws an error if it cannot fetch its list") func slides() async throws {
    let manager = try SlideManager(settings, in: environment)
    // snippet
    do throws(ServiceError) {
      report(try await manager.fetchSlideshow().slides)
    } catch {
      report(error)  // such as: catalog: slides[3].id: must be a whole number of at most 18 digits or a string
    }
    // end
    #expect(await nextReport() == "\(ServiceError.fetch(.blockedByTransportPolicy))")
  }

  @Test("Leaving a slide cancels its fetch") func slidePicture() async throws {
    // Under a real runtime, the policy's failure could arrive before the cancel.
    let runtime = ManualRuntime()
    let manager = try SlideManager(settings, in: FetchEnvironment(bus: EventBus(runtime: runtime)))
    let slide = Slide(id: "1", title: "Sunset", imgFileName: "sunset-10.jpeg")
    // snippet
    let fetch = manager.fetchPicture(of: slide) { result in
      report(result)  // once, on main: the picture or the error
    }
    fetch?.cancel()  // the user goes to the next slide
    // end
    runtime.runReady()
    #expect(await nextReport()?.contains("cancelled") == true)
    #expect(fetch?.url == "http://example.org/sunset-10.jpeg")
    runtime.close()
  }

  @Test("An environment can have a cache with a limit") func cache() {
    let address = "http://example.org/sunset-10.jpeg"
    // snippet
    let environment = FetchEnvironment(cache: ImageCache(countLimit: 10))
    show(environment.cache?.picture(for: address))  // nil: nothing has been fetched
    // end
    #expect(shown.withLock(\.isEmpty))
  }

  @Test("A photo service returns the address of an endpoint") func endpoint() throws {
    let key = try APIKey(variable: "K", environment: ["K": "k"])
    // snippet
    let service = PhotoService.photorama(apiKey: key)
    let address = service.address(of: .search("moon"))
    // end
    #expect(address.contains("?method=flickr.photos.search&"))
    #expect(address.hasSuffix("&text=moon"))
  }

  @Test("A photo store reports an error if it cannot fetch its list") func photos() async throws {
    let store = try store()
    // snippet
    store.fetchPhotos { result in
      switch result {
      case .success(let photos): report(photos.map(\.title))
      case .failure(let error): report(error)  // notJSON, refused, invalidJSONData or fetch
      }
    }
    // end
    #expect(await nextReport() == "\(PhotoListError.fetch(.blockedByTransportPolicy))")
  }

  @Test("A photo is decoded with its date, and the store returns the same image for it each time") func photo() throws {
    let (store, environment) = (try store(), environment)
    let entry = Data(
      #"{"id": 7, "title": "Waves", "url_h": "http://example.org/a.png", "datetaken": "2021-05-04 10:20:30"}"#.utf8)
    // snippet
    let photo = try JSONDecoder().decode(Photo.self, from: entry)  // throws for an entry without an address
    // end
    #expect(photo.id == "7")
    // snippet
    let image = store.image(of: photo)  // the same object each time
    show(image.image)
    // end
    #expect(store.image(of: photo) === image)
    withExtendedLifetime(environment) {}
  }

  @Test("A blocked upload reports its error") func upload() async throws {
    let store = try store()
    let (picture, address) = (Picture.placeholder, "http://example.org/upload")
    // snippet
    store.upload(picture, to: address) { result in
      if case .failure(let error) = result { report(error) }
    }
    // end
    #expect(await nextReport() == "\(PhotoUploadError.fetch(.blockedByTransportPolicy))")
  }

  @Test("A user is decoded from JSON") func user() async throws {
    let json = Data(#"{"id": 1, "name": "Ada", "username": "ada", "email": "ada@example.org", "phone": "1"}"#.utf8)
    // snippet
    let user = try JSONDecoder().decode(User.self, from: json)
    report(user.name)
    // end
    #expect(await nextReport() == "Ada")
  }

  @Test("A service decodes the type that its caller asks for") func json() async throws {
    // snippet
    let service = APIService("http://example.org/users", in: environment)
    service.getJSON([User].self) { result in
      report(result)  // once, on main
    }
    // end
    await #expect(throws: APIError.dataTaskError(.blockedByTransportPolicy)) {
      // snippet
      let users: [User] = try await service.getJSON()
      // end
      report(users)
    }
  }

  @Test("A page shows an error as an alert") @MainActor func alert() async throws {
    let (users, posts) = (URL(string: "http://example.org/users"), URL(string: "http://example.org/posts"))
    let (usersURL, postsURL) = (try #require(users), try #require(posts))
    // snippet
    let page = UsersViewController(
      users: usersURL, posts: postsURL, in: environment,
      onDrawUsers: { screen in
        if let alert = screen.alert { report(alert) }
      })
    page.viewWillAppear()
    // end
    #expect(await nextReport() == "\(APIError.dataTaskError(.blockedByTransportPolicy))")
    page.viewWillDisappear()
  }
}

// snippet
@MainActor final class PicturePage {
  let (image, bus): (IFImage, EventBus)
  private(set) var picture: Picture?
  private var subscription: Subscription?

  init(_ image: IFImage, _ bus: EventBus) { (self.image, self.bus) = (image, bus) }

  func viewWillAppear() {
    subscription = bus.subscribe(to: ImageFetched.self, key: image.id, on: .main) { [weak self] event in
      self?.picture = event.picture
    }
    picture = image.image
  }

  func viewWillDisappear() { subscription?.cancel() }
}
// end
