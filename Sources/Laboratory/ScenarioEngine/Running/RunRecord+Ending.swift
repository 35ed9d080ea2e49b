import ScenarioFormat

extension RunRecord {
  /// How the run ended for a user, as a text to compare: what each view shows, and the state of each image.
  package var ending: String {
    var shown: [String: String] = [:]
    for event in events where event.kind == .uiUpdate { shown[event[.view] ?? ""] = event[.shown] ?? "nothing" }
    let views = shown.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let images = final.images.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.rawValue)" }
    return (views + images).joined(separator: ", ")
  }
}
