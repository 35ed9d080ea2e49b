/// Loads the forecast for a city.
public protocol ForecastService: Sendable {
  /// Returns the forecast for a city.
  func forecast(for city: String) async -> String
}

/// Shows the forecast for the selected city. It has a race, which its test finds.
@MainActor public final class ForecastModel {
  /// The selected city.
  public private(set) var city = ""
  /// The forecast that the view shows.
  public private(set) var forecast = ""
  private let service: any ForecastService

  /// Creates a model without a selection.
  public init(service: any ForecastService) { self.service = service }

  /// Selects a city, and loads its forecast.
  public func select(_ city: String) {
    self.city = city
    Task(name: "load \(city)") { forecast = await service.forecast(for: city) }
  }
}
