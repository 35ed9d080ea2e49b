// does not compile: missing argument labels 'name:url:' in call
import FetcherModel

let image = IFImage("Sunset", "https://example.org/sunset.jpeg", in: FetchEnvironment())
