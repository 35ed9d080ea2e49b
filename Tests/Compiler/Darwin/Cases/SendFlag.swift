// does not compile: 'MSG_NOSIGNAL' is unavailable

import Foundation

func write(_ descriptor: Int32) -> Int { send(descriptor, nil, 0, Int32(MSG_NOSIGNAL)) }
