/// Opens pages with a token, and refreshes the token when it has expired.
actor Session {
  private var token: String
  private let send: @Sendable (String, String) async -> String?
  private let refresh: @Sendable () async -> String
  private var refreshing: Task<Void, Never>?

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
    let used = token
    if let page = await send(name, used) { return page }
    if used == token { await renew() }
    return await send(name, token)
  }

  /// Shares a refresh that is in flight.
  private func renew() async {
    if let refreshing { return await refreshing.value }
    let task = Task {
      token = await refresh()
      refreshing = nil
    }
    refreshing = task
    await task.value
  }
}
