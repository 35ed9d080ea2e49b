import CommandLineTool
import EventBus
import FetcherModel
import Foundation
import PlainText

/// Fetches pictures into a folder. A URL that is passed several times is fetched only once.
final class FetchRun: Sendable {
  private let addresses: [String]
  private let names: FileNames
  private let strategy: String
  private let environment: FetchEnvironment
  private let progress: FetchProgress
  private let context: CommandContext
  private let saysSuccess: Bool
  private let state = Locked(State())

  private struct State {
    var reports: [UTF8String: FetchReport] = [:]
    var isInterrupted = false
  }

  init(
    _ urls: [String], _ names: FileNames, _ strategy: String, _ environment: FetchEnvironment, saysSuccess: Bool,
    showsProgress: Bool, _ context: CommandContext
  ) {
    var known: Set<UTF8String> = []
    addresses = urls.filter { known.insert(UTF8String($0)).inserted }
    self.names = names
    self.strategy = strategy
    self.environment = environment
    self.saysSuccess = saysSuccess
    self.context = context
    progress = FetchProgress(environment.runtime, count: addresses.count, isShown: showsProgress)
  }

  /// Returns the report for a URL, or nil if its fetch has not finished yet.
  func report(_ url: String) -> FetchReport? { state.withLock { $0.reports[UTF8String(url)] } }

  /// Fetches the pictures at all URLs.
  func run() async {
    let watching = environment.bus.subscribe(to: ImageFetchProgress.self) { [progress] event in
      progress.advance(event.imageID, event.received, event.expected)
    }
    await withTaskGroup { group in
      for (url, name) in zip(addresses, names.plan(addresses)) { group.addTask { await self.fetch(url, name) } }
    }
    watching.cancel()
    progress.end()
  }

  /// Stops reporting and returns a message about the interruption.
  func interrupt() -> String {
    state.withLock { $0.isInterrupted = true }
    let standing = progress.end()
    return "\(standing.done) of \(standing.count) fetched"
  }

  private func fetch(_ url: String, _ name: FileNames.Name) async {
    var report = FetchReport(url: url, strategy: strategy)
    if names.present == .skip, let file = names.existing(name) {
      (report.ok, report.isSkipped, report.file) = (true, true, file.path)
      if name.isUnmarked, URLComponents(string: url)?.query != nil {
        report.doubt =
          "\(report.url): skipped, because \(file.path) exists; the file does not record its query, so to fetch this address, move the file or use --overwrite"
      }
      return finish(report, url, nil)
    }
    let image = IFImage(name: report.url, url: url, in: environment)
    progress.begin(image)
    let start = environment.runtime.now
    let result = await image.result()
    report.seconds = (environment.runtime.now - start).inSeconds
    do {
      let picture = try result.get()
      report.file = try names.write(picture, from: url, as: name).path
      report.ok = true
      report.bytes = picture.bytes.count
      report.format = picture.format.rawValue
      report.width = picture.width
      report.height = picture.height
    } catch let error as FetchError {
      report.error = Self.message(error, url, report.url)
      report.category = error.category.rawValue
      if case .badStatus(let status) = error { report.status = status }
    } catch {
      report.error = "\(report.url): cannot write into \(names.folder.path): \(FileFailure.reason(error))"
      report.category = "file"
    }
    finish(report, url, image)
  }

  private func finish(_ report: FetchReport, _ url: String, _ image: IFImage?) {
    let isLate = state.withLock { state in
      if !state.isInterrupted { state.reports[UTF8String(url)] = report }
      return state.isInterrupted
    }
    guard !isLate else { return }
    progress.finish(image, bytes: report.bytes)
    progress.interrupt { show(report) }
  }

  private func show(_ report: FetchReport) {
    if let doubt = report.doubt { context.notes.line(visible(doubt)) }
    if let error = report.error {
      context.notes.complain(visible(error))
    } else if saysSuccess, let file = report.file {
      context.output.line(visible(file) + "  " + Self.description(of: report))
    }
  }

  private static func description(of report: FetchReport) -> String {
    guard let width = report.width, let height = report.height else { return "already exists" }
    return "\(width) x \(height) \(report.format ?? "")  \(report.bytes) bytes  \(report.seconds.fixed(2)) s"
  }

  private static func message(_ error: FetchError, _ url: String, _ title: String) -> String {
    switch error {
    case .blockedByTransportPolicy where isPlainHTTPElsewhere(url):
      "\(title): plain http is allowed only to this machine; use https, or add --allow-plain-http"
    case .tooLarge: "\(title): the response exceeds the size limit; raise the limit with --max-bytes"
    case .timedOut:
      "\(title): no complete response before the deadline; try again, or allow more time with --timeout"
    default: error.message(for: title)
    }
  }

  /// Returns whether the transport policy rejects this URL because of its scheme. If the result is false, the
  /// policy may have rejected the target of a redirect.
  private static func isPlainHTTPElsewhere(_ url: String) -> Bool {
    url.lowercased().hasPrefix("http://") && (try? TransportPolicy().url(url)) == nil
  }
}

/// The result for one URL in the output of `fetch --json`.
struct FetchReport: Sendable, Encodable {
  /// The URL, without its credentials.
  let url: String
  let strategy: String
  var ok = false
  var bytes = 0
  var format: String?
  var width: Int?
  var height: Int?
  var seconds = 0.0
  var file: String?
  /// Whether nothing was fetched because the file already existed.
  var isSkipped = false
  /// A message about a skipped file that may belong to another address. It is not part of the JSON.
  var doubt: String?
  /// A human-readable description of the failure and its remedy.
  var error: String?
  /// The machine-readable category of the failure: that of the ``FetchError``, or `file` if the picture could not be
  /// written.
  var category: String?
  /// The HTTP status of the failure, if a server responded.
  var status: Int?

  private enum CodingKeys: String, CodingKey {
    case url, strategy, ok, bytes, format, width, height, seconds, file, skipped, error, category, status
  }

  init(url: String, strategy: String) {
    self.url = url.addressWithoutCredentials
    self.strategy = strategy
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(url, forKey: .url)
    try container.encode(strategy, forKey: .strategy)
    try container.encode(ok, forKey: .ok)
    try container.encode(bytes, forKey: .bytes)
    // Readers can rely on this key: it is always present, and its value is null after a failure.
    try container.encode(format, forKey: .format)
    try container.encode(width, forKey: .width)
    try container.encode(height, forKey: .height)
    try container.encode(seconds, forKey: .seconds)
    try container.encodeIfPresent(file, forKey: .file)
    if isSkipped { try container.encode(true, forKey: .skipped) }
    try container.encodeIfPresent(error, forKey: .error)
    try container.encodeIfPresent(category, forKey: .category)
    try container.encodeIfPresent(status, forKey: .status)
  }
}
