import FetcherModel
import TestMachine
import Testing

@Suite(.childProcesses) struct HostNameTests {
  @Test(
    "A text that cannot be the name of a host makes no name",
    arguments: [
      "", "https://images.example.com", "images.example.com:8443", "images.example.com/a",
      "me@images.example.com", "[::1]:8080", "images.example.com ",
    ])
  func wrong(text: String) { #expect(HostName(text) == nil) }

  @Test("Names that differ only in case are equal") func cases() {
    let name = "Images.Example.com"
    #expect(HostName(name) == "images.example.com" && HostName(name)?.description == "images.example.com")
    #expect(HostName(name) != "cdn.images.example.com")
  }

  @Test("An IPv6 address is the name of a host") func address() {
    let environment = FetchEnvironment(headersByHost: ["::1": ["Authorization": "Bearer x"]])
    #expect(environment.headers(at: "https://[::1]:8443/a.png")["Authorization"] == "Bearer x")
    #expect(environment.headers(at: "https://[::2]/a.png").isEmpty)
  }

  @Test("A literal that is not the name of a host terminates the process with a message")
  func literal() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FetchEnvironment().updateHeaders(for: "https://images.example.com") { $0["Authorization"] = "Bearer x" }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("as in images.example.com; found “https://images.example.com”"))
  }
}
