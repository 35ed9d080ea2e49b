// compiles
import FetcherModel
import Foundation

let pictures = URL(filePath: "/pictures")
let folder = ClosureStrategy("folder") { request in
  FetchedBody(bytes: try Data(contentsOf: pictures.appending(path: request.url.lastPathComponent)))
}
FetchEnvironment().register(folder)
