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

    @Test("Users arrive by completion, on main, with every strategy", arguments: Workbench.strategies)
    func byCompletion(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy, Self.json(Self.users))
      let service = APIService(workbench.address("/list"), in: workbench.environment)
      let (result, isOnMain) = await workbench.result { service.getJSON([User].self, completion: $0) }
      #expect(try result.get().map(\.name) == ["Ada"])
      #expect(isOnMain)
    }

    @Test("Posts arrive by async, with every strategy", arguments: Workbench.strategies)
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

    @Test("Date and key strategies are the decoder's, or the caller's")
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

    @Test("An address that is not a URL throws invalidURL", arguments: ["", "no url", "users", "http://"])
    func invalidURL(address: String) async throws {
      let workbench = try Workbench("dataTask")
      await #expect(throws: APIError.invalidURL) {
        try await APIService(address, in: workbench.environment).getJSON([User].self)
      }
    }

    @Test(
      "A status other than success is an error, whatever the body", arguments: Workbench.strategies, [404, 500, 301])
    func status(strategy: StrategyName, status: Int) async throws {
      let response = OriginResponse(status: status, body: .text(Self.users))
      let workbench = try Workbench(strategy, [OriginRoute(path: "/list", response)])
      let service = APIService(workbench.address("/list"), in: workbench.environment)
      let (result, _) = await workbench.result { service.getJSON([User].self, completion: $0) }
      // The blocking read knows no status: it takes the failure for one of the network, and a bare redirect for no bytes.
      let blocking: APIError = status == 301 ? .corruptData : .dataTaskError(.transport(256))
      #expect(result == .failure(strategy == "blocking" ? blocking : .invalidResponseStatus(status)))
    }

    @Test("A network failure is a dataTaskError, not a bad status", arguments: Workbench.strategies)
    func networkError(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy)
      await #expect(throws: APIError.dataTaskError(.transport(strategy == "blocking" ? 256 : -1004))) {
        // Nobody listens on port 1.
        try await APIService("http://127.0.0.1:1/list", in: workbench.environment).getJSON([User].self)
      }
    }

    @Test(
      "No bytes, or fewer than promised, are corrupt data", arguments: Workbench.seeing,
      [true, false])
    func corruptData(strategy: StrategyName, isCut: Bool) async throws {
      let response = isCut ? OriginResponse(body: .text(Self.users), fault: .truncate(after: 9)) : OriginResponse()
      let workbench = try Workbench(strategy, [OriginRoute(path: "/list", response)])
      await #expect(throws: APIError.corruptData) {
        try await APIService(workbench.address("/list"), in: workbench.environment).getJSON([User].self)
      }
    }

    @Test("Text that is not JSON is corrupt data, not another model", arguments: ["<html>sign in</html>", "[", "[1}"])
    func notJSON(text: String) async throws {
      let workbench = try Workbench("dataTask", Self.json(text))
      await #expect(throws: APIError.corruptData) {
        try await APIService(workbench.address("/list"), in: workbench.environment).getJSON([User].self)
      }
    }

    @Test(
      "JSON that does not fit is an error that names the place",
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

    @Test("A server that stalls ends with the deadline", arguments: Workbench.strategies)
    func deadline(strategy: StrategyName) async throws {
      let stalled = OriginResponse(body: .text(Self.users), fault: .stall(after: 3))
      let workbench = try Workbench(
        strategy, [OriginRoute(path: "/list", stalled)], limits: FetchLimits(deadline: .milliseconds(300)))
      await #expect(throws: APIError.dataTaskError(.timedOut)) {
        try await APIService(workbench.address("/list"), in: workbench.environment).getJSON([User].self)
      }
    }

    @Test("A list longer than the limit is refused", arguments: Workbench.strategies)
    func sizeLimit(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy, Self.json(Self.users), limits: FetchLimits(maximumBytes: 20))
      await #expect(throws: APIError.dataTaskError(.tooLarge)) {
        try await APIService(workbench.address("/list"), in: workbench.environment).getJSON([User].self)
      }
    }

    @Test("Plain http to another machine is never asked for")
    func transportPolicy() async throws {
      let workbench = try Workbench("dataTask")
      await #expect(throws: APIError.dataTaskError(.blockedByTransportPolicy)) {
        try await APIService("http://nowhere.invalid/users", in: workbench.environment).getJSON([User].self)
      }
    }

    @Test("Every answer posts status and headers on main, without query")
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
      #expect(answers.all.map { $0.answer.headers.first { $0.name == "X-Which" }?.value } == ["first", "second"])
      #expect(answers.all.allSatisfy { $0.answer.url.absoluteString == workbench.address("/list") })
    }
  }
}
