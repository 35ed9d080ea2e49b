package import FetcherModel

/// Tests write a failure as its code, because the table of faults lists codes.
extension NetworkError: ExpressibleByIntegerLiteral {
  package init(integerLiteral code: Int) { self.init(code: code) }
}
