import CommandLineTool
import Dispatch
public import FetcherModel
import Foundation

/// The program `fetcher`. The executable of a package that adds strategies calls ``main(strategies:)``.
public enum Fetcher {
  /// Runs the command of the process's arguments, and never returns. Call this method on the main thread, before any
  /// other thread exists.
  ///
  /// The command runs on a worker thread, while the main thread serves the main queue until the process exits.
  ///
  /// - Parameter strategies: the factories of strategies in addition to the model's. Every command has them.
  ///   `fetcher` itself registers `socket` here.
  public static func main(strategies: [StrategyFactory] = []) -> Never {
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
    Laboratory.use(strategies)
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
