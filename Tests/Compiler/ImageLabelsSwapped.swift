// does not compile: argument 'name' must precede argument 'url'
import FetcherModel

let image = IFImage(url: "https://example.org/sunset.jpeg", name: "Sunset", in: FetchEnvironment())
