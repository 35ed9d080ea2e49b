import FetcherModel
import TestMachine
import Testing

@Suite(.childProcesses) struct HostNameTests {
  @Test(
    "A text that cannot be the name of a host terminates the process with a message",
    arguments: [
      "", "https://images.example.com", "images.example.com:8443", "images.example.com/a",
      "me@images.example.com", "[::1]:8080",
    ])
  func wrong(host: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [host] in
      FetchEnvironment().updateHeaders(for: host) { $0["Authorization"] = "Bearer x" }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("need its name, such as images.example.com; found “\(host)”"))
  }

  @Test("An IPv6 address is the name of a host") func address() {
    let environment = FetchEnvironment()
    environment.updateHeaders(for: "::1") { $0["Authorization"] = "Bearer x" }
    #expect(environment.headers(at: "https://[::1]:8443/a.png")["Authorization"] == "Bearer x")
    #expect(environment.headers(at: "https://[::2]/a.png").isEmpty)
  }
}
