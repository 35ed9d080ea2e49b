import EventBus
import FetcherModel
import Foundation
import OriginServer

/// Where an example plays: an origin with the data of its system, an environment to fetch with, and a voice.
struct SystemStage: Sendable {
  let origin: OriginServer
  let environment: FetchEnvironment
  /// The pictures that come with the program.
  let pictures: URL
  let fault: SystemFault?
  let output: Output
  /// What the origin serves besides the pictures, while all is well.
  private(set) var routes: [OriginRoute] = []

  /// The whole address of a path that begins with a slash.
  func address(_ path: String) -> String { origin.baseURL.absoluteString.dropLast() + path }

  /// The same stage with an origin that serves these routes.
  func serving(_ routes: [OriginRoute]) -> SystemStage {
    var stage = self
    stage.routes = routes
    stage.play()
    return stage
  }

  /// Lets the origin serve the routes, with `broken` in the place of the one of its path.
  private func play(with broken: OriginRoute? = nil) {
    origin.replace(OriginContent(directory: pictures, routes: routes + [broken].compactMap(\.self)))
  }

  /// Prints one line of the example.
  func say(_ who: String, _ text: String, _ look: Style.Look = .blue) {
    output.line(output.style(look, who.padding(toLength: 8, withPad: " ", startingAt: 0)) + " " + text)
  }

  /// Prints an error as part of the example.
  func report(_ error: any Error, of subject: String) {
    say("error", Self.words(for: error, of: subject), .red)
  }

  /// Prints the status and the header fields of every answer to a service, as long as the token lives.
  func tellAnswers() -> Subscription {
    // Not through a queue: the result that follows on main may end the example.
    environment.bus.subscribe(to: ServiceResponded.self) { answer in
      say("answer", "status \(answer.status) from \(answer.url.path)")
      for header in answer.headers { say("", "\(header.name): \(header.value)", .dim) }
    }
  }

  /// Does a step of the example. Where the origin is to go wrong, it does so at `path` and the first time: the error is
  /// shown, the origin gets well, and the step is done once more.
  ///
  /// - Throws: a failure with what went wrong, when nothing should have.
  func attempt<Value>(_ subject: String, at path: String, _ step: () async throws -> Value) async throws -> Value {
    if let fault, let route = routes.first(where: { $0.path == path }), let response = route.responses.first {
      play(with: OriginRoute(path: path, fault.spoilt(response)))
      defer { play() }
      do {
        return try await step()
      } catch {
        report(error, of: subject)
        say("origin", "is well again (it had the fault “\(fault.rawValue)”); the same once more", .yellow)
      }
    }
    do {
      return try await step()
    } catch {
      throw CommandFailure.failed(Self.words(for: error, of: subject))
    }
  }

  /// A route for one of the program's pictures, so that it can go wrong.
  func route(toPicture name: String, latency: Duration = .zero) -> OriginRoute {
    OriginRoute(path: "/" + name, OriginResponse(body: .file(pictures.appending(path: name)), latency: latency))
  }

  private static func words(for error: any Error, of subject: String) -> String {
    (error as? FetchError)?.message(of: subject) ?? "\(error)"
  }
}
