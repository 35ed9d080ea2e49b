// compiles
// snippet
import Foundation
import FoundationNetworking

// A server that accepts one connection and answers after four seconds.
let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
var address = sockaddr_in()
address.sin_family = sa_family_t(AF_INET)
address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
var size = socklen_t(MemoryLayout<sockaddr_in>.size)
withUnsafeMutablePointer(to: &address) {
  $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
    guard bind(listener, $0, size) == 0, listen(listener, 1) == 0, getsockname(listener, $0, &size) == 0
    else { fatalError("no port") }
  }
}
Thread.detachNewThread {
  let connection = accept(listener, nil, nil)
  sleep(4)
  let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
  _ = send(connection, response, response.count, 0)
}

let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")!
let done = DispatchSemaphore(value: 0)
let start = Date()
URLSession.shared.dataTask(with: url) { _, _, _ in done.signal() }.resume()
done.wait()

var usage = rusage()
getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
print(
  String(
    format: "waited %.1f s, used %.1f s user and %.1f s system time, %d voluntary context switches",
    Date().timeIntervalSince(start), seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_nvcsw))
// end
