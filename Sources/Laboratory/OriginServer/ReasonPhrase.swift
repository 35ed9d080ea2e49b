import HTTPWire

/// Returns the reason phrase of a status, or of the status's class if the status itself has none.
func reasonPhrase(_ status: Int) -> String {
  switch status {
  case 200: "OK"
  case 201: "Created"
  case 202: "Accepted"
  case 204: "No Content"
  case 206: "Partial Content"
  case 301: "Moved Permanently"
  case 302: "Found"
  case 303: "See Other"
  case 304: "Not Modified"
  case 307: "Temporary Redirect"
  case 308: "Permanent Redirect"
  case 400: "Bad Request"
  case 401: "Unauthorized"
  case 403: "Forbidden"
  case 404: "Not Found"
  case 405: "Method Not Allowed"
  case 408: "Request Timeout"
  case 410: "Gone"
  case 411: "Length Required"
  case 413: "Content Too Large"
  case 414: "URI Too Long"
  case 417: "Expectation Failed"
  case 421: "Misdirected Request"
  case 429: "Too Many Requests"
  case 431: "Request Header Fields Too Large"
  case 500: "Internal Server Error"
  case 501: "Not Implemented"
  case 502: "Bad Gateway"
  case 503: "Service Unavailable"
  case 504: "Gateway Timeout"
  case 505: "HTTP Version Not Supported"
  case ..<200: "Informational"
  case ..<300: "Success"
  case ..<400: "Redirection"
  case ..<500: "Client Error"
  default: "Server Error"
  }
}

extension HeadWriter {
  /// Starts the head of a response.
  init(status: Int) { self.init("HTTP/1.1 \(status) \(reasonPhrase(status))") }
}
