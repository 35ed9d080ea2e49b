import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import Testing
import TutorialApps

@Suite struct TransportPolicyTests {
  @Test(
    "The policy allows https, and plain http to loopback",
    arguments: [
      "https://example.org/a.png", "http://localhost:8080/a", "http://127.0.0.1/a", "http://127.8.9.10:1/",
      "http://[::1]/a", "HTTP://LOCALHOST/a",
    ])
  func httpsAndPlainLoopbackPass(address: String) throws {
    _ = try TransportPolicy().url(address)
  }

  @Test(
    "The policy allows plain http to other machines only if arbitrary loads are allowed",
    arguments: [
      "http://example.org/a.png", "http://127.evil.example/a", "http://localhost.evil.example/a", "http://10.0.0.1/a",
      "http://127.0.0.1.evil.example/", "http://127.0.0.+1/a",
    ])
  func plainHTTPToOtherMachinesPassesOnlyWhenAllowed(address: String) throws {
    #expect(throws: FetchError.blockedByTransportPolicy) { try TransportPolicy().url(address) }
    _ = try TransportPolicy(allowsArbitraryLoads: true).url(address)
  }

  @Test(
    "The policy never allows a scheme other than http or https",
    arguments: ["file:///etc/passwd", "ftp://localhost/a", "data:image/png;base64,AAAA"])
  func otherSchemesNeverPass(address: String) {
    #expect(throws: FetchError.unsupportedScheme(strategy: nil)) {
      try TransportPolicy(allowsArbitraryLoads: true).url(address)
    }
  }

  @Test("An image of a file fails with an error about the scheme") func file() async {
    let image = IFImage(name: "a", url: URL(filePath: "/tmp/a.png"), in: FetchEnvironment())
    let error = await #expect(throws: FetchError.self) { try await image.load() }
    #expect(error == .unsupportedScheme(strategy: nil))
    #expect(error?.message(for: "a").contains("only http and https addresses can be fetched;") == true)
  }

  @Test(
    "An address without a host is not a URL", arguments: ["", "a.png", "http://", "https:///a.png", "//host/a.png"])
  func whatNamesNoHostIsNoURL(address: String) {
    #expect(throws: FetchError.invalidURL) { try TransportPolicy().url(address) }
  }

  @Test("A host with a control character is rejected", arguments: ["%00", "%00.evil.example", "%0A", "%7F"])
  func controlCharacters(end: String) {
    for policy in [TransportPolicy(), TransportPolicy(allowsArbitraryLoads: true)] {
      for host in ["localhost", "127.0.0.1"] {
        #expect(throws: FetchError.invalidURL) { try policy.url("http://\(host)\(end)/a.png") }
      }
    }
  }

  @Test("A port above 65535 is rejected with a message about the port")
  func ports() throws {
    for authority in ["localhost:65536", "me:1@localhost:70000", "[::1]:99999999999999999999", "localhost:-1"] {
      for address in ["http://\(authority)", "https://\(authority)/a:1.png?b@c:2"] where URL(string: address) != nil {
        #expect(throws: FetchError.invalidPort) { try TransportPolicy().url(address) }
      }
    }
    #expect(FetchError.invalidPort.description.contains("a port is at most 65535"))
    for authority in ["localhost:65535", "localhost:0000080", "localhost:", "me:70000@localhost", "[::1]", "[::1]:1"] {
      _ = try TransportPolicy().url("http://\(authority)/a:70000?b:70000@c:70000#d:70000")
    }
  }

  @Test("A policy that must hold after redirects rejects a strategy that does not see them")
  func aStrategyBlindToRedirectsIsRefusedWhereThePolicyMustHoldAfterThem() throws {
    let blind = BlockingStrategy().capabilities
    try TransportPolicy().validate(blind, of: .blocking)
    let strict = TransportPolicy(mustHoldAfterRedirects: true)
    let refused = FetchError.redirectsUnseen(strategy: .blocking)
    #expect(throws: refused) { try strict.validate(blind, of: .blocking) }
    #expect(refused.description.contains("strategy blocking cannot validate redirects"))
    #expect(!refused.description.contains("https"))
    #expect(refused.category == .blockedByTransportPolicy)
    try strict.validate(DataTaskStrategy().capabilities, of: .dataTask)
  }

  @Test("An https request fails before the strategy is called, if the strategy cannot load https")
  func httpOnly() async throws {
    let calls = Locked(0)
    let environment = FetchEnvironment(
      strategy: .closure("plain", capabilities: StrategyCapabilities(loadsHTTPS: false, note: "http only")) { _ in
        calls.withLock { $0 += 1 }
        return FetchedBody(bytes: Sample.png.bytes)
      })
    let refused = FetchError.unsupportedScheme(strategy: "plain")
    let image = IFImage(name: "a", url: "HTTPS://localhost/a.png", in: environment)
    await #expect(throws: refused) { try await image.load() }
    let service = APIService("https://localhost/list", in: environment)
    await #expect(throws: APIError.dataTaskError(refused)) { try await service.getJSON([Int].self) }
    #expect(calls.withLock { $0 } == 0)
    #expect(try await IFImage(name: "a", url: "http://localhost/a.png", in: environment).load().format == .png)
  }

  @Test(
    "The advice for a bad status fits the status",
    arguments: [
      (413, "send less"), (404, "address"), (401, "key"), (403, "permission"), (429, "later"), (500, "later"),
      (301, "address"), (415, "format"),
    ])
  func advice(status: Int, words: String) {
    for text in [FetchError.badStatus(status).message(of: "the upload"), "\(APIError.invalidResponseStatus(status))"] {
      #expect(text.contains("status \(status); ") && text.contains(words), "\(text)")
      #expect(words == "address" || !text.contains("address"), "\(text)")
    }
  }

  @Test(
    "Every error message names the picture and gives advice",
    arguments: [
      FetchError.invalidURL, .invalidPort, .blockedByTransportPolicy, .unsupportedScheme(strategy: nil),
      .badStatus(404), .emptyBody, .notAnImage,
      .truncated, .tooLarge,
      .timedOut, .transport(-1004), .cancelled, .redirectsUnseen(strategy: "mine"),
      .strategyFailed("mine", reason: "full"), .headersUnsent(strategy: .blocking), .headersUnsent(strategy: "mine"),
      .undecodable(encoding: "br"), .tooManyPixels, .unsupportedScheme(strategy: "mine"),
      .transport(.unusableAddress), .transport(.certificateExpired), .transport(.certificateInvalid),
      .transport(.certificateHasUnknownRoot), .transport(.certificateNotYetValid), .transport(.cannotCreateFile),
      .transport(.cannotWriteFile), .transport(.proxiedLoopback),
    ])
  func everyMessageNamesThePictureAndWhatToDo(error: FetchError) {
    let message = error.message(for: "Sunset")
    #expect(message.contains("Sunset"))
    #expect(message.contains(";"), "the advice follows a semicolon")
    #expect(!message.contains("\n"))
    // A label shows the problem, and an alert also the advice, each in a sentence.
    let (problem, advice) = (error.localizedDescription, error.recoverySuggestion ?? "")
    #expect(problem == error.errorDescription && !problem.contains(";"))
    for sentence in [problem, advice] { #expect(sentence.first?.isUppercase == true && sentence.hasSuffix(".")) }
    let joined = "picture “Sunset”: \(problem.dropLast()); \(advice.dropLast())"
    #expect(message.lowercased() == joined.lowercased())
  }

  @Test("The localized description of an error of a service is its message")
  func localized() {
    let errors: [any Error & CustomStringConvertible] = [
      APIError.corruptData, PhotoListError.notJSON,
      PhotoUploadError.unexpectedAnswer(contentType: nil), OriginError.portInUse(80),
    ]
    for error in errors { #expect(error.localizedDescription == error.description) }
  }
}
