/// Opens pages with a token, and refreshes the token when it has expired.
actor Session {
  private var token: String
  private let send: @Sendable (String, String) async -> String?
  private let refresh: @Sendable () async -> String

  init(
    token: String,
    send: @escaping @Sendable (String, String) async -> String?,
    refresh: @escaping @Sendable () async -> String
  ) {
    self.token = token
    self.send = send
    self.refresh = refresh
  }

  func page(_ name: String) async -> String? {
    if let page = await send(name, token) { return page }
    token = await refresh()
    return await send(name, token)
  }
}
