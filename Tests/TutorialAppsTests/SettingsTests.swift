import FetcherModel
import Foundation
import Testing
import TutorialApps

@Suite struct SettingsTests {
  private func list(_ content: String) -> Data {
    Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">\(content)</plist>
      """.utf8)
  }

  @Test("A configuration returns the texts and URLs of a property list by key")
  func values() throws {
    let data = list("<dict><key>Name</key><string>x</string><key>Base</key><string>http://a.example/</string></dict>")
    let configuration = try ServiceConfiguration(propertyList: data, name: "Info.plist")
    #expect(try configuration.text("Name") == "x")
    #expect(try configuration.url("Base").absoluteString == "http://a.example/")
    #expect(throws: ServiceError.invalidURL("x")) { try configuration.url("Name") }
  }

  @Test(
    "The error for a setting that is missing, empty, or not a text names its key",
    arguments: ["", "<key>Key</key><string></string>", "<key>Key</key><integer>3</integer>"])
  func missing(content: String) throws {
    let configuration = try ServiceConfiguration(propertyList: list("<dict>\(content)</dict>"), name: "Info.plist")
    #expect(throws: ServiceError.missingConfiguration("Key")) { try configuration.text("Key") }
    #expect(throws: ServiceError.missingConfiguration("Key")) { try configuration.url("Key") }
    #expect(ServiceError.missingConfiguration("Key").description.contains("“Key” is missing"))
  }

  @Test(
    "An address with a leading slash is relative to BaseUrl",
    arguments: ["http://a.example/", "http://a.example"])
  func base(base: String) throws {
    let configuration = ServiceConfiguration(["BaseUrl": base, "Users": "/users", "Posts": "https://b.example/posts"])
    #expect(try configuration.url("Users").absoluteString == "http://a.example/users")
    #expect(try configuration.url("Posts").absoluteString == "https://b.example/posts")
    let elsewhere = configuration.setting("BaseUrl", to: "http://c.example")
    #expect(try elsewhere.url("Users").absoluteString == "http://c.example/users")
    #expect(throws: ServiceError.missingConfiguration("BaseUrl")) {
      try ServiceConfiguration(["Users": "/u"]).url("Users")
    }
  }

  @Test("The transport policy allows arbitrary loads only if the property list sets the key to true")
  func transportSecurity() throws {
    let policy = { (content: String) in
      try ServiceConfiguration(propertyList: list("<dict>\(content)</dict>"), name: "Info.plist").transportPolicy
    }
    let key = "<key>NSAppTransportSecurity</key><dict><key>NSAllowsArbitraryLoads</key>"
    #expect(try policy("") == TransportPolicy())
    #expect(try policy(key + "<false/></dict>") == TransportPolicy())
    #expect(try policy(key + "<string>yes</string></dict>") == TransportPolicy())
    #expect(try policy(key + "<true/></dict>") == TransportPolicy(allowsArbitraryLoads: true))
  }

  @Test("A configuration reads an array of dictionaries as a table, and the error for any other array names its key")
  func tables() throws {
    let rows = "<array><dict><key>imageName</key><string>A</string></dict></array>"
    let data = list("<dict><key>Favorites</key>\(rows)<key>Other</key><array><string>A</string></array></dict>")
    let configuration = try ServiceConfiguration(propertyList: data, name: "Info.plist")
    #expect(try configuration.table("Favorites") == [["imageName": "A"]])
    #expect(throws: ServiceError.missingConfiguration("Other")) { try configuration.table("Other") }
  }

  @Test("The error for a file that is not a dictionary names the file", arguments: ["<array/>", "<dict", "no list"])
  func noDictionary(content: String) {
    let error = #expect(throws: ServiceError.self) {
      try ServiceConfiguration(propertyList: list(content), name: "Info.plist")
    }
    #expect(error?.description.contains("Info.plist") == true)
  }

  @Test("The error for a file that cannot be read names the file")
  func noFile() {
    #expect(throws: ServiceError.missingConfiguration("/nowhere/Info.plist")) {
      try ServiceConfiguration(contentsOf: URL(filePath: "/nowhere/Info.plist"))
    }
  }

  @Test("The environment's API key takes precedence over the file's, and white space around either is removed")
  func keySources() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)")
    try Data("  from-file\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let address = { (key: APIKey) in PhotoService.photorama(apiKey: key).listAddress }
    let fromFile = try APIKey(variable: "KEY", file: file, environment: ["KEY": " \n"])
    #expect(address(fromFile).contains("api_key=from-file&"))
    let fromVariable = try APIKey(variable: "KEY", file: file, environment: ["KEY": "from-variable\n"])
    #expect(address(fromVariable).contains("api_key=from-variable&"))
  }

  @Test("The error for a missing key names the variable and the file")
  func keyMissing() {
    #expect(throws: ServiceError.missingConfiguration("KEY")) { try APIKey(variable: "KEY", environment: [:]) }
    #expect(throws: ServiceError.missingConfiguration("KEY, or the file /nowhere/key")) {
      try APIKey(variable: "KEY", file: URL(filePath: "/nowhere/key"), environment: [:])
    }
  }

  @Test("No description or dump of a service shows its API key")
  func keyIsHidden() throws {
    let key = try APIKey(variable: "KEY", environment: ["KEY": "secret"])
    let service = PhotoService.photorama(apiKey: key)
    var dumped = ""
    dump(service, to: &dumped)
    for text in ["\(key)", String(reflecting: key), "\(service)", String(reflecting: service), dumped] {
      #expect(!text.contains("secret"), "\(text)")
    }
  }
}
