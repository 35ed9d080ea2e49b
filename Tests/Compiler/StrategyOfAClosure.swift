// compiles
import FetcherModel
import Foundation

let pictures = URL(filePath: "/pictures")
let folder = StrategyFactory.closure("folder") { request in
  FetchedBody(bytes: try Data(contentsOf: pictures.appending(path: request.url.lastPathComponent)))
}
FetchEnvironment().register(folder)
FetchEnvironment(strategy: folder).register(.closure("stub") { _ in throw FetchError.badStatus(404) }, selects: true)
