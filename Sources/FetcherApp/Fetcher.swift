import Dispatch
import EventBus
import FetcherModel
import Foundation

/// The entry point: the command runs beside, the main thread serves the main queue until somebody leaves.
@main enum Fetcher {
  static func main() {
    StandardStreams.occupy()
    let shutdown = Shutdown()
    // Registered first, so it runs last.
    shutdown.atEnd {
      Shutdown.silenceTraps()
      PrivateTemporaryDirectory.remove()
    }
    shutdown.atEnd { FileWriter.shared.close() }
    // Both change the environment, and must do so before there is another thread that could read it.
    ProxyBypass.activate()
    PrivateTemporaryDirectory.install()
    shutdown.listen()
    let words = Array(CommandLine.arguments.dropFirst())
    let isPlain = words.contains(CommandOption.noColor.name)
    // Without notes there is nowhere left to complain.
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
