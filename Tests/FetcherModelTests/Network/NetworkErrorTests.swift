import Foundation
import Testing

@testable import FetcherModel

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Foundation's error codes, and the causes that only libcurl's message states.
@Suite struct NetworkErrorTests {
  @Test(
    "The named failures have the codes of Foundation",
    arguments: [
      (NetworkError.timedOut, URLError.timedOut), (.unknownHost, .cannotFindHost), (.refused, .cannotConnectToHost),
      (.connectionLost, .networkConnectionLost), (.notConnectedToInternet, .notConnectedToInternet),
      (.tooManyRedirects, .httpTooManyRedirects), (.secureConnectionFailed, .secureConnectionFailed),
      (.certificateExpired, .serverCertificateHasBadDate), (.certificateInvalid, .serverCertificateUntrusted),
      (.certificateHasUnknownRoot, .serverCertificateHasUnknownRoot),
      (.certificateNotYetValid, .serverCertificateNotYetValid),
    ])
  func codes(error: NetworkError, code: URLError.Code) { #expect(error.code == code.rawValue) }

  @Test(
    "A lost connection is never reported as a refused one",
    arguments: [
      "Recv failure: Connection reset by peer", "Send failure: Broken pipe", "Error in the HTTP2 framing layer",
      "HTTP/2 stream 3 was not closed cleanly before end of the underlying stream",
      "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to localhost:1",
      "getpeername() failed with errno 107: Transport endpoint is not connected",
    ])
  func lost(message: String) {
    for code in [URLError.unknown, .cannotConnectToHost, .networkConnectionLost] {
      #expect(NetworkError(of: error(code, message)) == .connectionLost)
    }
    #expect(NetworkError(of: error(.timedOut, message)) == .timedOut)
  }

  @Test(
    "Other messages from libcurl leave the error code unchanged",
    arguments: [
      (URLError.cannotConnectToHost, "Failed to connect to localhost port 1 after 0 ms: Couldn't connect to server"),
      (.unknown, "transfer closed with 9 bytes remaining to read"), (.badServerResponse, "Empty reply from server"),
    ])
  func kept(code: URLError.Code, message: String) {
    #expect(NetworkError(of: error(code, message)).code == code.rawValue)
  }

  private func error(_ code: URLError.Code, _ message: String) -> URLError {
    URLError(code, userInfo: [NSLocalizedDescriptionKey: message])
  }
}
