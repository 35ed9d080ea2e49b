import FetcherModel
import Foundation
import OriginServer
import Testing

/// An nginx server for a folder of files. It ends when this value is released.
final class Nginx {
  /// The path of the executable, or nil if nginx is not installed.
  static let path = ["/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private let port: UInt16
  /// Closing the pipe ends the server, even if this process is killed.
  private let lifeline = Pipe()

  /// Starts a server for these files. It responds with 404 to other paths.
  init(_ files: [String: Data]) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, bytes) in files { try bytes.write(to: URL(filePath: "\(folder)/\(name)")) }
    // Bind a free port and release it, so that nginx can listen on it.
    let holder = try OriginServer(content: OriginContent())
    port = holder.port
    holder.stop()
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
    let settings = """
      daemon off; master_process off; pid \(folder)/pid; error_log \(folder)/error;
      events { worker_connections 1024; }
      http { access_log off; \(folders.joined(separator: " ")) server { listen 127.0.0.1:\(port); root \(folder); } }
      """
    try settings.write(toFile: "\(folder)/conf", atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // Most signals are blocked on the thread that starts nginx, and nginx inherits that, so the script uses SIGKILL.
    let script = #""$1" -p "$2" -c "$2/conf" >/dev/null 2>&1 & pid=$!; cat >/dev/null; kill -9 $pid; rm -r "$2""#
    process.arguments = ["-c", script, "sh", try #require(Self.path), folder]
    process.standardInput = lifeline
    try process.run()
    // nginx listens before it writes its process ID.
    while !FileManager.default.fileExists(atPath: "\(folder)/pid") { try await Task.sleep(for: .milliseconds(10)) }
  }

  deinit { try? lifeline.fileHandleForWriting.close() }

  func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}
