// does not compile: instance method 'wait' is unavailable from asynchronous contexts

import Foundation

func end(_ group: DispatchGroup) async { group.wait() }
