/// Addresses and texts in which a secret is part of the credentials of an address.
package enum SecretAddresses {
  /// The secret, which no output may contain. No encoding changes its characters.
  package static let secret = "S3CRET"

  /// A URL with credentials, and the same URL without them.
  package struct Address: Sendable {
    package let text: String
    package let plain: String
  }

  /// URLs whose user name or password contains each reserved character in each encoded form.
  package static let valid: [Address] = reserved.flatMap { character in
    encodedForms(of: character).flatMap { form in
      credentials(form).flatMap { user in
        ["https://", "HTTP://", "ftp://"].flatMap { scheme in
          ["host/a.png", "[::1]:8080/", "höst.example?a@b", "127.0.0.1#"].map {
            Address(text: scheme + user + $0, plain: scheme + $0)
          }
        }
      }
    }
  }

  /// Texts around each URL, and addresses that are not valid.
  package static let texts: [String] = valid.enumerated().map { surrounded($1.text, $0) } + invalid

  private static let reserved = Array(":/?#[]@!$&'()*+,;=%\\ \"<>^`{|}\n\t")

  /// Returns the credentials in which a form of a character separates, begins, or ends the parts. If a parser mistakes
  /// the form for a delimiter, the digits before it make the rest look like a host and a port.
  private static func credentials(_ form: String) -> [String] {
    ["user:12\(form)\(secret)@", "tok3n\(form)\(secret)@", "us\(form)er:\(secret)@", "user:\(form)\(secret)\(form)@"]
  }

  private static func encodedForms(of character: Character) -> [String] {
    let code = Int(character.asciiValue ?? 0)
    let hex = (code < 16 ? "0" : "") + String(code, radix: 16)
    let digits = hex.utf8.map { "%" + String($0, radix: 16) }.joined()
    let wide = code > 0x20 ? [String(Unicode.Scalar(UInt32(code) + 0xFEE0).map(Character.init) ?? character)] : []
    let plain = "!$&'()*+,;=:".contains(character) ? [String(character)] : []
    return plain + ["%\(hex)", "%\(hex.uppercased())", "%25\(hex)", "%2525\(hex)", "%25\(digits)", "\\u00\(hex)"] + wide
      + wide.map { $0.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined() }
  }

  private static func surrounded(_ address: String, _ number: Int) -> String {
    switch number % 12 {
    case 0: "see \(address)"
    case 1: "two: http://host/a.png, \(address)"
    case 2: "\(address) http://user:\(secret)@host/ \(address)"
    case 3: #"{"url": "\#(address.replacing("/", with: #"\/"#))", "a": 1}"#
    case 4: "http://host/?to=\(encoded(address))&a=b"
    case 5: "http://host/?to=\(encoded(encoded(address)))#a"
    case 6: "http://host/?to=\(address.replacing("/", with: "%2F"))"
    case 7: "http://host/\(address)"
    case 8: "picture “\(address.drop { $0 != "/" })”"
    case 9: address.replacing("://", with: #":\\"#)
    case 10: address.replacing("://", with: ":////")
    default: address.replacing("://", with: "：／／").replacing("@", with: "＠")
    }
  }

  /// Returns the text with every byte encoded that is not a letter or a digit, as in a query item.
  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      return byte < 0x80 && (character.isLetter || character.isNumber)
        ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// Addresses with an unencoded reserved character, which are not valid URLs.
  private static let invalid: [String] = reserved.flatMap { character in
    ["http://", "http:/", "http:", "//", #"http:\\"#, "", "see ", "http://host/?to=//"].flatMap { start in
      ["us:pa", "user name:pa", "u:p@", "user:123456"].map { "\(start)\($0)\(character)\(secret)@host/" }
    }
  }
}
