import Foundation
import Harness
import OriginServer

/// nginx with one worker that serves files, as a server from outside this project.
struct NginxProcess: Sendable {
  /// `http://127.0.0.1:port`
  let base: String
  private let process: ChildProcess

  /// Returns nil if nginx is not installed.
  init?() {
    guard let nginx = ChildProcess.path(of: "nginx") else { return nil }
    let folder = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString)").path
    let port: UInt16
    do {
      // A port that was free a moment ago. Another process can still take it.
      let holder = try OriginServer(content: OriginContent())
      port = holder.port
      holder.stop()
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Self.settings(folder, port).write(toFile: "\(folder)/conf", atomically: true, encoding: .utf8)
      for body in Bodies.all { try body.bytes.write(to: URL(filePath: "\(folder)/\(body.name)")) }
    } catch {
      fatalError("cannot prepare a folder or a port for nginx: \(error)")
    }
    // nginx does not exit when its input ends, so a shell kills it and cleans up. The shell uses SIGKILL, because nginx inherits a signal
    // mask in which most other signals are blocked.
    process = ChildProcess(
      "/bin/sh",
      [
        "-c", #""$1" -p "$2" -c "$2/conf" >/dev/null 2>&1 & pid=$!; cat >/dev/null; kill -9 $pid; rm -r "$2""#, "sh",
        nginx,
        folder,
      ])
    base = "http://127.0.0.1:\(port)"
    let probe = ["-s", "--fail", "--retry", "50", "--retry-connrefused", "--retry-delay", "1", "\(base)/1k"]
    _ = ChildProcess.output(of: "/usr/bin/env", ["curl"] + probe)
  }

  private static func settings(_ folder: String, _ port: UInt16) -> String {
    """
    daemon off; master_process off; pid \(folder)/pid; error_log \(folder)/error;
    events { worker_connections 1024; }
    http {
      access_log off; keepalive_requests 100000000; sendfile on; tcp_nopush on; default_type image/webp;
      client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy; fastcgi_temp_path \(folder)/fastcgi;
      uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
      server { listen 127.0.0.1:\(port); root \(folder); open_file_cache max=16; }
    }
    """
  }
}
