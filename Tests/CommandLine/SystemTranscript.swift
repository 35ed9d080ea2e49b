/// What `fetcher system` prints, word for word.
enum SystemTranscript {
  /// Lengths of lists depend on the port, and sizes of pictures are not the subject.
  static func normalised(_ output: String) -> String {
    output.replacing(/Content-Length: \d+/, with: "Content-Length: N").replacing(/\d+ bytes/, with: "N bytes")
  }

  /// The last line, whatever its numbers.
  static func end(of output: String) -> String {
    let line = output.split(separator: "\n").last.map(String.init) ?? ""
    let words = line.replacing("requests", with: "request")
    return words.replacing(/\d+/, with: "N")
  }

  /// The whole output, with its lengths as ``normalised(_:)`` leaves them; nil for a system that there is not.
  static func expected(_ system: String, _ strategy: String) -> String? {
    let transcript = transcript(of: system)?.replacing("STRATEGY", with: strategy)
    return strategy == "blocking" ? transcript.map(asSeenByABlockingRead) : transcript
  }

  private static func transcript(of system: String) -> String? {
    switch system {
    case "image-fetcher": imageFetcher
    case "slideshow": slideshow
    case "photorama":
      photos("Photorama: recent photos of a web service, and an upload", "PHOTORAMA", "flickr.photos.getRecent")
    case "soogreyhounds":
      photos(
        "SooGreyhounds: the same with another endpoint and method", "SOOGREYHOUNDS", "soogreyhounds.photos.getList")
    case "ios-concurrency": concurrency
    default: nil
    }
  }

  /// A blocking read sees neither status nor headers, only that it failed.
  private static func asSeenByABlockingRead(_ transcript: String) -> String {
    let failure = "the request: the network failed (code 256, a blocking read does not say why); try again"
    let withoutAnswers = transcript.replacing(/answer   status 200 [^\n]*\n(         [^\n]*\n)+/, with: "")
    return withoutAnswers.replacing("the server answered with status 404; check the address", with: failure)
      .replacing("the request: the network failed (code -1004, connection refused); try again", with: failure)
  }

  private static let imageFetcher = """
    ImageFetcher: a list of favourites; choosing one fetches and shows it (STRATEGY)
    list     12 favourites: Sunset over the sea, Mountains at dawn, City at night, ...
    user     chooses “Sunset over the sea”
    page     Sunset over the sea: placeholder “photoalbum”
    model    ImageFetchStarted: Sunset over the sea, by STRATEGY
    model    ImageFetched: Sunset over the sea, N bytes
    page     Sunset over the sea: 1200 x 800 jpeg
    user     chooses “Mountains at dawn”
    page     Mountains at dawn: placeholder “photoalbum”
    model    ImageFetchStarted: Mountains at dawn, by STRATEGY
    model    ImageFetched: Mountains at dawn, N bytes
    page     Mountains at dawn: 640 x 420 png
    user     goes back
    list     12 favourites: Sunset over the sea, Mountains at dawn, City at night, ...
    origin   2 requests; 10 pictures were never chosen, so never fetched
    model    ImageFetchStarted: elsewhere, by STRATEGY
    model    ImageFetchFailed: elsewhere
    policy   picture “http://example.org/a.png”: blocked by the transport policy; use https, or allow arbitrary loads in \
    the configuration

    """

  private static let slideshow = """
    SlideShow: slides from a web service, their pictures on demand and cached (STRATEGY)
    settings without one of them: configuration: “ImageBaseUrl” is missing; add it
    settings SlideWebServiceUrl and ImageBaseUrl come from a property list
    settings each picture is held back by 100 ms, as by a slow network
    answer   status 200 from /holidayslideshow.json
             Content-Length: N
             Content-Type: application/json
    model    SlideshowChanged: “Holiday Slideshow”, 12 slides: 10, 11, 12, ...
    page     no slide yet: placeholder
    user     looks at “Sunset over the sea”
    page     Sunset over the sea: loading
    page     Sunset over the sea: 1200 x 800 jpeg
    user     goes on to “Mountains at dawn”
    page     Mountains at dawn: loading
    page     Mountains at dawn: 640 x 420 png
    user     goes on to “City at night”
    page     City at night: loading
    page     City at night: 720 x 480 png
    user     goes on to “Sunset over the sea”
    page     Sunset over the sea: 1200 x 800 jpeg
    cache    3 of at most 10 pictures; 1 request for the first

    """

  private static func photos(_ heading: String, _ name: String, _ method: String) -> String {
    """
    \(heading) (STRATEGY)
    settings the API key comes from a file, as \(name)_API_KEY is not set
    request  GET /services/rest?method=\(method)&... with (an API key)
    answer   status 200 from /services/rest
             Content-Length: N
             Content-Type: application/json
    model    Successfully found 4 photos; an entry without an address was left out.
    photo    1  2017-01-01T12:09:06Z  sunset-10
    photo    2  2017-01-01T12:08:06Z  mountains-11
    photo    3  2017-01-01T12:07:06Z  moon-20
    photo    4  2017-01-01T12:06:06Z  waves-14
    page     sunset-10: 1200 x 800 jpeg
    request  POST /upload, Content-Length: N, Accept: application/json
    answer   status 201 from /upload
             Connection: close
             Content-Length: N
             Content-Type: application/json
    origin   received N bytes

    """
  }

  private static let concurrency = """
    iOS Concurrency: users and posts by one generic service; its five errors (STRATEGY)
    users    3 users, by completion
             1  Ada Quill, ada, ada@example.org
             2  Ben Moor, ben, ben@example.org
             3  Cleo Park, cleo, cleo@example.org
    posts    3 posts, by async
             1  On queues, by user 1
             2  On locks, by user 1
             3  On waiting, by user 3
    wrong    no URL: the address is not a URL; write it in full, as in https://example.org/users
    wrong    a missing page: the server answered with status 404; check the address
    wrong    a closed port: the request: the network failed (code -1004, connection refused); try again
    wrong    no bytes: the answer is incomplete; try again
    wrong    posts taken for users: the answer does not fit the model: [0].name is missing; compare the two

    """
}
