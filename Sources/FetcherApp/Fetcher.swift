import Dispatch
import EventBus
import FetcherModel
import Foundation

/// The entry point. The command runs on a worker thread, while the main thread serves the main queue until the process
/// exits.
@main enum Fetcher {
  static func main() {
    StandardStreams.occupy()
    let shutdown = Shutdown()
    // This action is registered first, so it runs last.
    shutdown.atEnd {
      Shutdown.silenceTraps()
      PrivateTemporaryDirectory.remove()
    }
    shutdown.atEnd { FileWriter.shared.close() }
    ProcessEnvironment.prepare()
    shutdown.listen()
    let words = Array(CommandLine.arguments.dropFirst())
    let isPlain = words.contains(CommandOption.noColor.name)
    // If the notes cannot be written, there is no way to report the failure.
    let notes = Output(descriptor: STDERR_FILENO, style: .detected(for: STDERR_FILENO, isForbidden: isPlain)) { _ in }
    let output = Output(descriptor: STDOUT_FILENO, style: .detected(for: STDOUT_FILENO, isForbidden: isPlain)) {
      notes.complain("cannot write the results: \($0)")
      shutdown.leave(.failed)
    }
    let context = CommandContext(output: output, notes: notes, shutdown: shutdown, resources: .ofProcess)
    _ = DispatchRuntime.shared.task {
      shutdown.leave(await Application(words: words, context: context).run())
    }
    dispatchMain()
  }
}
