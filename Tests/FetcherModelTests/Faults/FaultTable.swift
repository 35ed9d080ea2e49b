import FetcherModel
import Foundation
import ModelFixtures
import OriginServer

/// Every fault that the design names, in the same order, and a few related ones.
enum FaultTable {
  private static let png = Sample.png.bytes
  private static let page = OriginBody.text("<html>no</html>")
  /// Limits whose deadline passes only when the test fires it.
  private static let brief = FetchLimits(deadline: DeadlineRuntime.deadline)
  private static let small = FetchLimits(maximumBytes: 100_000, deadline: FetchLimits.longDeadline)

  static let all: [Fault] = connections + bodies + statuses + redirects + contents + frames

  private static let connections: [Fault] = [
    Fault(
      name: "refused", place: .refused, seeing: .failure(.transport(-1004)), blocking: .failure(.transport(256))),
    Fault(
      name: "DNS failure", place: .unknownHost, seeing: .failure(.transport(-1003)),
      blocking: .failure(.transport(256)), remark: "a name that does not resolve"),
    answer(
      "closed before headers", OriginResponse(fault: .closeBeforeHeaders), .transport(-1011), blocking: .transport(256)),
  ]

  private static let bodies: [Fault] = [
    answer(
      "reset mid-body", OriginResponse(body: .bytes(100_000), fault: .reset(after: 5000)), .transport(-1005),
      blocking: .transport(256)),
    answer(
      "body shorter than Content-Length", OriginResponse(body: .bytes(100_000), fault: .truncate(after: 5000)),
      .truncated, blocking: .transport(256)),
    Fault(
      name: "body cut before its first byte",
      place: .answers([OriginResponse(body: .bytes(100_000), fault: .truncate(after: 0))]),
      seeing: .failure(.truncated), blocking: .failure(.transport(256)), download: .failure(.transport(-1)),
      remark: "Foundation on Linux does not report the head of a failed download"),
    answer(
      "stall", OriginResponse(body: .data(png), fault: .stall(after: 10)), .timedOut, limits: brief,
      remark: "the deadline ends it; a blocked thread stays blocked until the server closes the connection"),
    answer(
      "one byte per interval", OriginResponse(body: .data(png), fault: .drip(every: .milliseconds(50))), .timedOut,
      limits: brief, remark: "the deadline ends it; an idle timeout would not"),
  ]

  private static let statuses: [Fault] = [
    answer("204", OriginResponse(status: 204), .emptyBody),
    answer(
      "401 with a challenge", status(401, [("WWW-Authenticate", "Basic realm=\"x\"")]), .badStatus(401),
      blocking: .timedOut, limits: brief, remark: "a blocking read never answers the challenge: the deadline ends it"),
    answer("404", status(404), .badStatus(404), blocking: .transport(256)),
    answer(
      "404 with a picture", OriginResponse(status: 404, body: .data(png)), .badStatus(404), blocking: .transport(256),
      remark: "the status determines the result"),
    Fault(
      name: "404 whose page stalls",
      place: .answers([OriginResponse(status: 404, body: .bytes(1000), fault: .stall(after: 10))]),
      seeing: .failure(.badStatus(404)), blocking: .failure(.timedOut), download: .failure(.timedOut), limits: brief,
      remark: "Foundation on Linux reports the head of a download only at its end"),
    answer("500", status(500), .badStatus(500), blocking: .transport(256)),
    Fault(
      name: "503 then 200", place: .answers([status(503), OriginResponse(body: .data(png))]), seeing: .picture,
      blocking: .failure(.transport(256)),
      limits: FetchLimits(deadline: FetchLimits.longDeadline, retries: 1, retryDelay: .milliseconds(1)),
      remark: "with one retry; a blocking read cannot distinguish a 503 from a 404, so it is not retried"),
  ]

  private static let redirects: [Fault] = [
    answer("301 without Location", status(301), .badStatus(301), blocking: .emptyBody),
    Fault(
      name: "redirect", place: .answers([redirect("/a.png")]), seeing: .picture, blocking: .picture,
      remark: "followed if the policy allows it"),
    answer(
      "redirect loop", redirect("/x"), .transport(-1007), blocking: .transport(256), remark: "fails after 16 redirects"),
    answer(
      "redirect loop, with a page of unknown length",
      OriginResponse(status: 302, headers: [("Location", "/x")], body: page, chunked: true), .transport(-1007),
      blocking: .transport(256)),
    answer(
      "redirect to another scheme", redirect("file:///etc/passwd"), .blockedByTransportPolicy,
      blocking: .transport(256), remark: "`blocking` follows it unchecked, to http on the same host"),
    answer(
      "redirect to another scheme, with a page",
      OriginResponse(status: 302, headers: [("Location", "file:///etc/passwd")], body: page), .blockedByTransportPolicy,
      blocking: .transport(256), remark: "the usual form: the redirect has an HTML body"),
    answer(
      "redirect to another scheme, with a page of unknown length",
      OriginResponse(status: 302, headers: [("Location", "file:///etc/passwd")], body: page, chunked: true),
      .blockedByTransportPolicy, blocking: .transport(256)),
    answer(
      "redirect to plain http elsewhere", redirect("http://nowhere.invalid/a.png"), .blockedByTransportPolicy,
      blocking: .transport(256), remark: "`blocking` follows it unchecked; the policy can reject `blocking`"),
  ]

  private static let contents: [Fault] = [
    answer("empty 200", OriginResponse(), .emptyBody),
    answer(
      "HTML as image/jpeg", OriginResponse(headers: [("Content-Type", "image/jpeg")], body: page), .notAnImage),
    answer("truncated JPEG", OriginResponse(body: .data(Sample.jpeg.bytes.dropLast(4))), .truncated),
    answer("truncated PNG", OriginResponse(body: .data(png.dropLast(4))), .truncated),
    answer("larger than the limit", OriginResponse(body: .bytes(200_000)), .tooLarge, limits: small),
    answer(
      "larger than the limit, length unknown", OriginResponse(body: .bytes(200_000), chunked: true), .tooLarge,
      limits: small, remark: "ended during streaming; `blocking` reads the whole body first"),
  ]

  private static let frames: [Fault] = [
    Fault(
      name: "chunked body", place: .answers([OriginResponse(body: .data(png), chunked: true, chunkSize: 7)]),
      seeing: .picture, blocking: .picture),
    Fault(
      name: "no Content-Length", place: .answers([OriginResponse(body: .data(png), sendsContentLength: false)]),
      seeing: .picture, blocking: .picture, remark: "the end of the connection ends the body"),
    Fault(
      name: "wrong Content-Type",
      place: .answers([OriginResponse(headers: [("Content-Type", "text/html")], body: .data(png))]), seeing: .picture,
      blocking: .picture, remark: "the bytes determine the format"),
    Fault(
      name: "very long header", place: .answers([OriginResponse(body: .data(png), fault: .longHeader)]),
      seeing: .failure(.transport(-1)), blocking: .failure(.transport(256)), socket: .failure(.transport(-1011)),
      remark: "a field of 256 KiB"),
    answer("broken status line", OriginResponse(fault: .garbage), .transport(-1002), blocking: .transport(256)),
    answer(
      "broken chunk", OriginResponse(body: .data(png), fault: .malformedChunk), .truncated, blocking: .transport(256)),
    Fault(
      name: "slow close", place: .answers([OriginResponse(body: .data(png), fault: .slowClose)]), seeing: .picture,
      blocking: .picture, remark: "no length, and the connection stays open for a second"),
  ]

  private static func answer(
    _ name: String, _ response: OriginResponse, _ error: FetchError, blocking: FetchError? = nil,
    limits: FetchLimits = .patient, remark: String = ""
  ) -> Fault {
    Fault(
      name: name, place: .answers([response]), seeing: .failure(error), blocking: .failure(blocking ?? error),
      limits: limits, remark: remark)
  }

  private static func status(_ status: Int, _ headers: [(String, String)] = []) -> OriginResponse {
    OriginResponse(status: status, headers: headers, body: page)
  }

  private static func redirect(_ target: String) -> OriginResponse {
    OriginResponse(status: 302, headers: [("Location", target)])
  }
}
