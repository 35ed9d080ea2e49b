/// A store that saves the settings unless the task is cancelled.
actor Settings {
  private(set) var isSaved = false

  func save() throws {
    try Task.checkCancellation()
    isSaved = true
  }
}

/// Leaves its scope without an await, which cancels the save.
func closeHastily(_ settings: Settings) async {
  async let _ = settings.save()
  // The window fades out.
  await Task.yield()
}

func close(_ settings: Settings) async {
  async let saving: Void = settings.save()
  try? await saving
}
