import Forecast
import ScheduleExplorerTesting
import Testing

struct SlowService: ForecastService {
  func forecast(for city: String) async -> String {
    try? await Task.sleep(for: .milliseconds(200))
    return "sunny in \(city)"
  }
}

/// Fails, and prints the order that breaks the model. Without `.explored`, it passes.
@Test(.explored) @MainActor func lastSelectionWins() async throws {
  let model = ForecastModel(service: SlowService())
  model.select("Oslo")
  model.select("Rome")
  try await Task.sleep(for: .milliseconds(500))
  #expect(model.forecast == "sunny in Rome")
}
