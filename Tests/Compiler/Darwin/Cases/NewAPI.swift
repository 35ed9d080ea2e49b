// does not compile: only in macOS 26 or newer

func label() async -> String? { Task.name }
