import Dispatch
import EventBus
import FetcherModel
import Foundation

/// The entry point: the command runs beside, the main thread serves the main queue until somebody leaves.
@main enum Fetcher {
  static func main() {
    // First of all, before another thread can read the environment: it changes TMPDIR.
    PrivateTemporaryDirectory.adopt()
    let shutdown = Shutdown()
    shutdown.atEnd { PrivateTemporaryDirectory.remove() }
    let words = Array(CommandLine.arguments.dropFirst())
    let isPlain = words.contains("--no-color")
    let context = CommandContext(
      output: Output(descriptor: STDOUT_FILENO, style: .detected(for: STDOUT_FILENO, isForbidden: isPlain)) {
        // Whoever read has seen enough: no reason to complain.
        shutdown.leave(.success)
      },
      notes: Output(descriptor: STDERR_FILENO, style: .detected(for: STDERR_FILENO, isForbidden: isPlain)) {},
      shutdown: shutdown, resources: .ofProcess)
    _ = DispatchRuntime.shared.task {
      shutdown.leave(await Application(words: words, context: context).run())
    }
    dispatchMain()
  }
}
