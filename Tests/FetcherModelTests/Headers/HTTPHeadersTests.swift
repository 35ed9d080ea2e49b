import FetcherModel
import Testing

/// The value type for header fields.
@Suite struct HTTPHeadersTests {
  @Test("Fields keep their order, and a name may occur several times") func order() {
    let headers: HTTPHeaders = ["B": "1", "A": "2", "b": "3"]
    #expect(headers.map(\.name) == ["B", "A", "b"] && headers.map(\.value) == ["1", "2", "3"])
    #expect(headers["b"] == "1, 3" && headers["a"] == "2" && headers["c"] == nil)
  }

  @Test("Fields from a dictionary are sorted by name") func dictionary() {
    let fields = Dictionary(uniqueKeysWithValues: ["C", "A", "B"].map { ($0, $0.lowercased()) })
    #expect(HTTPHeaders(fields) == ["A": "a", "B": "b", "C": "c"])
  }

  @Test("A field is replaced by a name in any case") func example() {
    // snippet
    var headers: HTTPHeaders = ["Accept": "image/png", "X-Album": "12"]
    headers["x-album"] = "13"
    // end
    #expect(headers.map(\.value) == ["image/png", "13"])
  }

  @Test("Setting a value replaces every field with that name in place; nil removes them") func setting() {
    var headers: HTTPHeaders = ["X": "1", "A": "2", "x": "3"]
    headers["x"] = "4"
    #expect(headers == ["X": "4", "A": "2"])
    headers["C"] = "5"
    headers["a"] = nil
    headers["none"] = nil
    #expect(headers == ["x": "4", "c": "5"])
  }

  @Test("Names are equal without regard to case, values only byte by byte") func equality() {
    let headers: HTTPHeaders = ["Accept": "image/png"]
    #expect(
      headers == ["ACCEPT": "image/png"] && headers.hashValue == (["accept": "image/png"] as HTTPHeaders).hashValue)
    #expect(headers != ["Accept": "image/PNG"] && headers != [:])
    #expect((["X": "\u{E9}"] as HTTPHeaders) != ["X": "e\u{301}"])
    #expect((["A": "1", "B": "2"] as HTTPHeaders) != ["B": "2", "A": "1"])
  }

  @Test("A description contains no value, because a value can be a secret") func description() {
    let headers: HTTPHeaders = ["Authorization": "S3CRET", "Accept": "S3CRET"]
    #expect("\(headers)" == "[Authorization, Accept]" && String(reflecting: headers) == "[Authorization, Accept]")
  }

  @Test("Concurrent changes to the header fields of an environment are not lost", .timeLimit(.minutes(1)))
  func concurrentUpdates() async {
    let environment = FetchEnvironment(headers: ["First": "1"])
    await withTaskGroup { group in
      for number in 0..<500 {
        group.addTask { environment.updateHeaders { $0["X-\(number)"] = "1" } }
      }
    }
    #expect(environment.headers.count == 501)
  }
}
