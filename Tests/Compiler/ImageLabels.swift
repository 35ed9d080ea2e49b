// compiles
import FetcherModel

let image = IFImage(name: "Sunset", url: "https://example.org/sunset.jpeg", in: FetchEnvironment())
