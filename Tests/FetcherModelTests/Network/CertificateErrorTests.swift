import Testing

@testable import FetcherModel

@Suite("Errors about the server's certificate") struct CertificateErrorTests {
  /// The messages of libcurl 8 with OpenSSL.
  @Test(
    "The message from libcurl determines the error's code and its advice",
    arguments: [
      ("SSL certificate problem: certificate has expired", -1201, "has expired"),
      ("SSL certificate problem: certificate is not yet valid", -1204, "this machine's clock"),
      ("SSL: no alternative certificate subject name matches target host name 'localhost'", -1202, "the host name"),
      ("SSL: certificate subject name 'a' does not match target hostname 'b'", -1202, "the host name"),
      ("SSL certificate problem: self-signed certificate", -1203, "trust the certificate's issuer"),
      ("SSL certificate problem: self signed certificate in certificate chain", -1203, "issuer"),
      ("SSL certificate problem: unable to get local issuer certificate", -1203, "issuer"),
      ("SSL certificate problem: unable to get issuer certificate", -1203, "issuer"),
      ("SSL certificate problem: unable to verify the first certificate", -1203, "issuer"),
      ("SSL certificate problem: EE certificate key too weak", -1202, "is invalid"),
      ("error setting certificate file: /etc/ssl/cert.pem", -1200, "no secure connection"),
      ("transfer closed with 9 bytes remaining to read", -1, "Foundation gives no reason"),
    ])
  func causes(_ message: String, _ code: Int, _ advice: String) {
    #expect(NetworkError(message: message).code == code)
    let error = NetworkError(code: code).asFetchError
    #expect(error.description.contains(advice), "\(error)")
    #expect(error.isWorthRetrying == ![-1201, -1202, -1203, -1204].contains(code))
  }
}
