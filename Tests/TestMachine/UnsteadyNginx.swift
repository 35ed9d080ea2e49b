public import Foundation

/// An nginx server with a picture of 23 KB. Every 0.4 seconds, a script reloads it, kills its workers, or kills and
/// restarts it, in turn. The server stops when this value is released or this process ends.
public final class UnsteadyNginx: Sendable {
  /// Whether the machine has the programs that the server needs.
  public static let isInstalled = ["/usr/sbin/nginx", "/usr/bin/openssl", "/usr/bin/python3"]
    .allSatisfy(FileManager.default.isExecutableFile)

  /// The picture that the server serves.
  public static let picture = packageRoot.appending(path: "Sources/FetcherApp/Resources/pictures/waves-14.webp")

  /// The address of the picture, such as `https://localhost:8443/a.webp`.
  public let address: String
  /// The file with the system's root certificates and the server's certificate.
  public let roots: URL
  private let lifeline = Pipe()
  private let output = Pipe()

  /// - Parameter isSecure: Whether the server uses https with HTTP/2 instead of http.
  public init(isSecure: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "unsteady-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Self.picture, to: folder.appending(path: "a.webp"))
    roots = folder.appending(path: "roots.pem")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-u", "-c", Self.script, folder.path, isSecure ? "https" : "http"]
    process.standardInput = lifeline
    process.standardOutput = output
    try process.run()
    // The script prints the port when the server accepts connections.
    let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    address = "\(isSecure ? "https" : "http")://localhost:\(port.trimmingCharacters(in: .newlines))/a.webp"
  }

  /// Stops the server and returns the numbers of its reloads, of the losses of its workers, and of its restarts.
  public func stop() -> [Int] {
    try? lifeline.fileHandleForWriting.close()
    let counts = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return counts.split(separator: " ").compactMap { Int($0.trimmingCharacters(in: .newlines)) }
  }

  deinit { try? lifeline.fileHandleForWriting.close() }

  /// The script waits 0.4 seconds between two disturbances, so that most fetches succeed.
  private static let script = #"""
    import itertools, os, select, shutil, signal, socket, subprocess, sys
    folder, scheme = sys.argv[1:]
    # The thread that started this process has blocked most signals.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    secure = ""
    if scheme == "https":
      subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/own.pem", "-subj", "/CN=unsteady",
        "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"], check=True, stderr=subprocess.DEVNULL)
      secure = f"ssl_certificate {folder}/own.pem; ssl_certificate_key {folder}/key.pem;"
      with open(f"{folder}/roots.pem", "w") as roots:
        for part in "/etc/ssl/certs/ca-certificates.crt", f"{folder}/own.pem": roots.write(open(part).read())
    holder = socket.create_server(("127.0.0.1", 0))
    port = holder.getsockname()[1]
    holder.close()
    paths = " ".join(f"{name}_temp_path {folder}/{name};" for name in ("proxy", "fastcgi", "uwsgi", "scgi"))
    with open(f"{folder}/conf", "w") as conf:
      conf.write(f"""{"user root root;" if os.geteuid() == 0 else ""} daemon off; worker_processes 2; pid {folder}/pid;
        error_log {folder}/error; events {{ worker_connections 1024; }}
        http {{ access_log off; client_body_temp_path {folder}/body; {paths} {secure} keepalive_requests 500;
          server {{ listen 127.0.0.1:{port} {"ssl http2" if secure else ""}; root {folder}; }} }}""")

    def start():
      server = subprocess.Popen(["/usr/sbin/nginx", "-p", folder, "-c", f"{folder}/conf"], start_new_session=True,
        stderr=subprocess.DEVNULL)
      while True:
        try: socket.create_connection(("127.0.0.1", port)).close()
        except OSError: continue
        return server

    def workers(server):
      for process in filter(str.isdigit, os.listdir("/proc")):
        try: parent = open(f"/proc/{process}/stat").read().rpartition(")")[2].split()[1]
        except OSError: continue
        if int(parent) == server.pid: yield int(process)

    server, counts = start(), [0, 0, 0]
    print(port)
    for action in itertools.cycle(range(3)):
      if select.select([sys.stdin], [], [], 0.4)[0]: break
      counts[action] += 1
      if action == 0: server.send_signal(signal.SIGHUP)
      if action == 1:
        for worker in workers(server):
          try: os.kill(worker, signal.SIGKILL)
          except ProcessLookupError: pass
      if action == 2:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        server = start()
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()
    shutil.rmtree(folder)
    print(*counts)
    """#
}
