import CommandLineTool
import Comparison
import Dispatch
import EventBus
import Foundation
import HTTPWire
import OriginServer
import ScenarioEngine
import ScenarioFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs nginx in front of an origin. It accepts https, forwards each request, and counts requests and connections.
///
/// nginx exits when ``stop()`` is called, or when this process exits, even if this process is killed. All methods are
/// safe to call from any thread.
///
/// The conformance is unchecked because `Process` is not `Sendable`. The initializer starts the process, and other code
/// only queries its state.
final class TLSFront: @unchecked Sendable {
  /// The port on 127.0.0.1 to which clients connect.
  let port: UInt16

  private let folder: URL
  private let process: Process
  /// When this pipe closes, nginx is killed. The system closes the pipe even if this process is killed.
  private let lifeline = Pipe()
  private let ended = DispatchSemaphore(value: 0)
  private let isStopped = Locked(false)
  /// The number of connections accepted before the run, including those made by ``status()``.
  private let accepted = Locked(0)

  /// A shell script, because nginx itself does not exit when its input closes. The terminal sends signals to the whole
  /// process group, so the shell ignores them. nginx inherits a signal mask that blocks most signals, so the shell
  /// kills it with `kill -9`.
  private static let script = #"""
    trap '' INT TERM HUP; cd "$2" || exit; "$1" -p ./ -c conf >output 2>&1 & pid=$!
    cat >/dev/null; kill -9 $pid; wait $pid 2>/dev/null; cd /; rm -rf "$2"
    """#

  /// The number of ports to try. Another process may take a free port before nginx binds it.
  private static let mostAttempts = 5

  /// Starts nginx and returns once it accepts connections.
  ///
  /// - Throws: a failure with nginx's error message.
  static func start(
    _ nginx: URL, before origin: UInt16, _ transport: Transport, in folder: URL, _ runtime: any Runtime
  ) async throws(CommandFailure) -> TLSFront {
    var problem = ""
    for _ in 0..<mostAttempts {
      let own = folder.appending(path: "front-\(UUID().uuidString.prefix(8))")
      let front: TLSFront
      do {
        front = try TLSFront(nginx, before: origin, transport, in: own)
      } catch {
        throw .cannotStart("cannot start nginx: \(error)")
      }
      for _ in 0..<500 where front.process.isRunning {
        if front.status() != nil { return front }
        await runtime.pause(.milliseconds(10))
        if let message = front.problem() {
          problem = message
          break
        }
      }
      front.stop()
    }
    throw .cannotStart("nginx did not start: \(problem.isEmpty ? "its status page does not respond" : problem)")
  }

  private init(_ nginx: URL, before origin: UInt16, _ transport: Transport, in folder: URL) throws {
    // A temporary server reserves a free port until the settings for nginx are written.
    let holder = try OriginServer(content: OriginContent())
    port = holder.port
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(Self.settings(port, before: origin, transport).utf8).write(to: folder.appending(path: "conf"))
    holder.stop()
    process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.script, "sh", nginx.absoluteURL.path, folder.path]
    process.standardInput = lifeline
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
  }

  /// Terminates nginx, removes its folder, and then returns. Later calls return immediately.
  func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    try? lifeline.fileHandleForWriting.close()
    _ = ended.wait(timeout: .now() + 10)
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: Counting

  /// Starts counting for a run. Call this method while no client is connected.
  func begin() {
    truncate(folder.appending(path: "log").path, 0)
    if let status = status() { accepted.withLock { $0 = status.accepted } }
  }

  /// Returns whether nginx responds. The shell that started nginx does not end with it.
  func isRunning(_ runtime: any Runtime) async -> Bool {
    for _ in 0..<Self.mostSilentCalls {
      if status() != nil { return true }
      await runtime.pause(.milliseconds(5))
    }
    return false
  }

  /// The number of consecutive calls without a response after which nginx counts as ended.
  private static let mostSilentCalls = 20

  /// Waits until no client is connected, then returns the counts since ``begin()``. Returns nil if a client stays
  /// connected for about five seconds, or if nginx has ended.
  func counts(_ runtime: any Runtime) async -> FrontCounts? {
    // Each call to ``status()`` opens a connection, which must not be counted.
    var silent = 0
    for calls in 1...1000 {
      let status = status()
      silent = status == nil ? silent + 1 : 0
      if silent == Self.mostSilentCalls { return nil }
      if let status, status.open == 1 {
        let text = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
        return FrontCounts(
          connections: status.accepted - accepted.withLock { $0 } - calls, log: FrontLog(text))
      }
      await runtime.pause(.milliseconds(5))
    }
    return nil
  }

  /// Queries the state of nginx over a local socket. Returns nil if nginx does not respond.
  private func status() -> FrontStatus? {
    let descriptor = System.streamSocket(AF_UNIX)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The address of a socket has at most 107 bytes, which a long folder name exceeds.
    let directory = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return nil }
    defer { close(directory) }
    let path = Array("/proc/self/fd/\(directory)/status".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    let request = Array("GET / HTTP/1.0\r\n\r\n".utf8)
    guard isConnected, request.withUnsafeBytes({ System.sendBytes(descriptor, $0) }) == request.count else {
      return nil
    }
    var page: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 { page += piece[..<count] }
    return FrontStatus(String(decoding: page, as: UTF8.self))
  }

  // MARK: Starting

  /// Returns the last alert that nginx logged, or nil if there is none.
  private func problem() -> String? {
    let text = ["output", "error"].compactMap {
      try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
    return text.joined().split(separator: "\n").last { $0.contains("[emerg]") || $0.contains("[alert]") }.map(
      String.init)
  }

  /// Returns the settings for nginx. All paths are relative, because nginx cannot quote a `$` in a folder's name.
  static func settings(_ port: UInt16, before origin: UInt16, _ transport: Transport) -> String {
    """
    \(geteuid() == 0 ? "user root root; " : "")daemon off; master_process off; pid pid; error_log error;
    events { worker_connections 1024; }
    http {
      log_format front '\(FrontLog.format)'; access_log log front;
      client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi; scgi_temp_path scgi;
      keepalive_requests 1000000; keepalive_timeout 600s; tcp_nodelay on;
      upstream origin { server 127.0.0.1:\(origin); keepalive 64; keepalive_requests 1000000; }
      server {
        listen 127.0.0.1:\(port) ssl\(transport == .https2 ? " http2" : "") backlog=1024;
        ssl_certificate ../\(TestCertificate.name); ssl_certificate_key ../\(TestCertificate.keyName);
        ssl_session_cache shared:front:1m;
        location / {
          proxy_pass http://origin; proxy_set_header Host localhost;
          proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_buffering off; proxy_buffer_size 64k; proxy_buffers 4 64k; proxy_busy_buffers_size 64k;
          proxy_read_timeout 600s;
        }
      }
      server { listen unix:status; access_log off; location / { stub_status; } }
    }

    """
  }
}
