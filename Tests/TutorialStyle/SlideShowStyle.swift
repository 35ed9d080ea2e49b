import Foundation

enum SettingError: Error {
  case missing(String)
  case notAURL(String)
}

// snippet
func addressOfTheList() throws -> URL {
  let key = "SlideWebServiceUrl"
  guard let text = Bundle.main.infoDictionary?[key] as? String else { throw SettingError.missing(key) }
  guard let address = URL(string: text) else { throw SettingError.notAURL(text) }
  return address
}
// end

// snippet
struct HolidaySlide: Codable, Identifiable {
  let id = UUID()
  var title: String
  var picture: String?
  var isFavorite = false

  enum CodingKeys: String, CodingKey {
    case title, isFavorite
    case picture = "file"
  }
}
// end

// snippet
final class HolidaySlides {
  var slides: [HolidaySlide] = []

  init(fetch: @escaping () async throws -> [HolidaySlide]) {
    Task {
      if let fetched = try? await fetch() { slides.append(contentsOf: fetched) }
    }
  }
}
// end

final class HolidaySlidePage {
  let picture: (HolidaySlide) async throws -> UIImage?
  private let hourglass = UIImage(named: "hourglass")
  private(set) var shown: UIImage?

  init(picture: @escaping (HolidaySlide) async throws -> UIImage?) { self.picture = picture }

  // snippet
  func slideChanged(to slide: HolidaySlide) {
    shown = hourglass
    Task { shown = try? await picture(slide) }
  }
  // end
}

// snippet
final class PicturesByName {
  static let shared = PicturesByName()
  private var pictures: [String: UIImage] = [:]

  subscript(name: String) -> UIImage? {
    get { pictures[name] }
    set { pictures[name] = newValue }
  }
}
// end

extension StyleRuns {
  /// Returns the missing key that prevents the decoding of a slide, or nil if a slide can be decoded.
  package static func missingKey(ofSlide json: String) -> String? {
    do {
      _ = try JSONDecoder().decode(HolidaySlide.self, from: Data(json.utf8))
      return nil
    } catch DecodingError.keyNotFound(let key, _) {
      return key.stringValue
    } catch {
      return "\(error)"
    }
  }
}
