extension Scenario.Response.Fault {
  /// One sentence for people who write scenarios.
  var help: String {
    switch self {
    case .refuse:
      "nobody listens; on the real clock a path refuses always or never, and all paths refuse in a phase of their own"
    case .reset: "the connection is reset, after some bytes of the body"
    case .closeBeforeHeaders: "the connection ends before the answer begins"
    case .stall: "nothing more comes, after some bytes of the body, and the connection stays open"
    case .truncate: "the connection ends, after some bytes of the body, although more were promised"
    case .garbage: "what comes is not HTTP"
    case .malformedChunk: "a body in chunks, with nonsense after the first half"
    case .slowClose: "the whole body without its length, and one second later the end of the connection"
    }
  }
}

extension Invariant {
  /// One sentence for people who write scenarios: what has happened if it is broken.
  var help: String {
    switch self {
    case .uiOffMain: "a view drew itself elsewhere than on main"
    case .staleImage:
      "a view shows a picture that is not the one selected for it, or in the end none although it has come"
    case .updateAfterDisappear: "a view drew itself although nobody sees it"
    case .subscribedAfterDisappear: "a view is subscribed to an event after a step, although it is not visible"
    case .duplicateFetch:
      "a path was requested while a request for it was under way; what a redirect leads to is the network's business"
    case .completedTwice: "a fetch ended twice, or without a beginning"
    case .neverCompleted: "a fetch has no end"
    case .leakedModel: "an image is alive although everybody has let go of it"
    case .leakedSubscription: "a subscription is alive although everybody has let go of it"
    case .deliveredAfterCancel: "a fetch ended, or a subscriber was called, after its cancel"
    case .deadlock: "nothing can go on, as all wait for each other"
    case .starvedPool:
      "work waited for a worker while all workers were blocked; on the virtual clock, whose pool the file decides"
    case .reentrantState: "the state of an image was entered while it was being changed; the process ends there"
    case .livelock: "the run does not come to an end"
    }
  }
}
