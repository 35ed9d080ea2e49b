// does not compile: has no member 'rawValue'

import Foundation

func open() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
