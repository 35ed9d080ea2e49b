import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import Testing
import TutorialApps

extension NetworkSuite {
  @Suite struct APIServiceTests {
    private static let users = #"[{"id": 1, "name": "Ada", "username": "ada", "email": "a@example.org", "phone": "1"}]"#

    private static func json(_ text: String) -> [OriginRoute] {
      [OriginRoute(path: "/list", OriginResponse(body: .text(text)))]
    }

    @Test(
      "With every strategy, the completion of a request for users is called on main", arguments: Workbench.strategies)
    func byCompletion(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy, Self.json(Self.users))
      let service = APIService(workbench.address("/list"), in: workbench.environment)
      let (result, isOnMain) = await workbench.result { service.getJSON([User].self, completion: $0) }
      #expect(try result.get().map(\.name) == ["Ada"])
      #expect(isOnMain)
    }

    @Test("With every strategy, the async function returns the decoded posts", arguments: Workbench.strategies)
    func byAsync(strategy: StrategyName) async throws {
      let posts = #"[{"userId": 3, "id": 7, "title": "t", "body": "b"}]"#
      let workbench = try Workbench(strategy, Self.json(posts))
      let all: [Post] = try await APIService(workbench.address("/list"), in: workbench.environment).getJSON()
      #expect(all.map(\.id) == [7])
      #expect(all.map(\.userId) == [3])
    }

    private struct Event: Decodable, Equatable {
      let startsAt: Date
    }

    @Test("A service decodes dates and keys with the decoder's strategies unless the caller passes others")
    func decodingStrategies() async throws {
      let workbench = try Workbench("dataTask", Self.json(#"{"starts_at": "2017-01-01T12:32:06Z"}"#))
      let service = APIService(workbench.address("/list"), in: workbench.environment)
      let event = try await service.getJSON(
        Event.self, dateDecodingStrategy: .iso8601, keyDecodingStrategy: .convertFromSnakeCase)
      #expect(event.startsAt == Date(timeIntervalSince1970: 1_483_273_926))
      await #expect(throws: APIError.decodingError(path: "startsAt", reason: "is missing")) {
        try await service.getJSON(Event.self)
      }
    }

    @Test(
      "A request for an address that is not a URL throws invalidURL", arguments: ["", "no url", "users", "http://"])
    func invalidURL(address: String) async throws {
      let workbench = try Workbench("dataTask")
      await #expect(throws: APIError.invalidURL) {
        try await APIService(address, in: workbench.environment).getJSON([User].self)
      }
    }

    @Test(
      "A status other than success is an error, even if the body is valid", arguments: Workbench.strategies,
      [404, 500, 301])
    func status(strategy: StrategyName, status: Int) async throws {
      let response = OriginResponse(status: status, body: .text(Self.users))
      let workbench = try Workbench(strategy, [OriginRoute(path: "/list", response)])
      let service = APIService(workbench.address("/list"), in: workbench.environment)
      let (result, _) = await workbench.result { service.getJSON([User].self, completion: $0) }
      // The blocking read does not see a status. It reports an error status as a network
      // failure, and a redirect without a target as an empty body.
      let blocking: APIError = status == 301 ? .corruptData : .dataTaskError(.transport(256))
      #expect(result == .failure(strategy == "blocking" ? blocking : .invalidResponseStatus(status)))
    }

    @Test("A network failure is reported as dataTaskError, not as a bad status", arguments: Workbench.strategies)
    func networkError(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy)
      await #expect(throws: APIError.dataTaskError(.transport(strategy == "blocking" ? 256 : -1004))) {
        // No server listens on port 1.
        try await APIService("http://127.0.0.1:1/list", in: workbench.environment).getJSON([User].self)
      }
    }

    @Test(
      "An empty body, or one shorter than announced, is reported as corrupt data", arguments: Workbench.seeing,
      [true, false])
    func corruptData(strategy: StrategyName, isCut: Bool) async throws {
      let response = isCut ? OriginResponse(body: .text(Self.users), fault: .truncate(after: 9)) : OriginResponse()
      let workbench = try Workbench(strategy, [OriginRoute(path: "/list", response)])
      await #expect(throws: APIError.corruptData) {
        try await APIService(workbench.address("/list"), in: workbench.environment).getJSON([User].self)
      }
    }

    @Test(
      "A body that is not JSON is reported as corrupt data, not as a decoding error",
      arguments: ["<html>sign in</html>", "[", "[1}"])
    func notJSON(text: String) async throws {
      let workbench = try Workbench("dataTask", Self.json(text))
      await #expect(throws: APIError.corruptData) {
        try await APIService(workbench.address("/list"), in: workbench.environment).getJSON([User].self)
      }
    }

    @Test(
      "A decoding error names the path of the JSON value that does not match the model",
      arguments: [
        (#"[{"id": 1, "name": "Ada", "username": "ada"}]"#, "[0].email"),
        (#"[{"id": "x", "name": "Ada", "username": "ada", "email": "e"}]"#, "[0].id"),
        (#"{"id": 1}"#, ""),
      ])
    func decodingError(json: String, path: String) async throws {
      let workbench = try Workbench("dataTask", Self.json(json))
      let service = APIService(workbench.address("/list"), in: workbench.environment)
      let error = await #expect(throws: APIError.self) { try await service.getJSON([User].self) }
      guard case .decodingError(path, let reason) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(!reason.isEmpty)
    }

    @Test("A request to a stalled server ends at the deadline", arguments: Workbench.strategies)
    func deadline(strategy: StrategyName) async throws {
      let stalled = OriginResponse(body: .text(Self.users), fault: .stall(after: 3))
      let workbench = try Workbench(
        strategy, [OriginRoute(path: "/list", stalled)], limits: FetchLimits(deadline: .milliseconds(300)))
      await #expect(throws: APIError.dataTaskError(.timedOut)) {
        try await APIService(workbench.address("/list"), in: workbench.environment).getJSON([User].self)
      }
    }

    @Test("A response that is longer than the size limit is rejected", arguments: Workbench.strategies)
    func sizeLimit(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy, Self.json(Self.users), limits: FetchLimits(maximumBytes: 20))
      await #expect(throws: APIError.dataTaskError(.tooLarge)) {
        try await APIService(workbench.address("/list"), in: workbench.environment).getJSON([User].self)
      }
    }

    @Test("A service never sends a plain http request to another machine")
    func transportPolicy() async throws {
      let workbench = try Workbench("dataTask")
      await #expect(throws: APIError.dataTaskError(.blockedByTransportPolicy)) {
        try await APIService("http://nowhere.invalid/users", in: workbench.environment).getJSON([User].self)
      }
    }

    @Test("Each response posts an event on main with its status, headers, and URL without the query")
    func answersAreTold() async throws {
      let workbench = try Workbench(
        "dataTask",
        [
          OriginRoute(
            path: "/list",
            responses: [
              OriginResponse(status: 503, headers: [("X-Which", "first")]),
              OriginResponse(headers: [("X-Which", "second")], body: .text(Self.users)),
            ])
        ])
      let answers = Answers(in: workbench.environment)
      let service = APIService(workbench.address("/list?api_key=secret"), in: workbench.environment)
      _ = try? await service.getJSON([User].self)
      _ = try await service.getJSON([User].self)
      #expect(answers.all.map(\.answer.status) == [503, 200])
      #expect(answers.all.allSatisfy { $0.isOnMain })
      #expect(answers.all.map { $0.answer.headers["X-Which"] } == ["first", "second"])
      #expect(answers.all.allSatisfy { $0.answer.url.absoluteString == workbench.address("/list") })
    }
  }
}
