import TestMachine
import Testing

/// The suites that run the built program. Only a few tests run at a time, because many of them start several processes.
@Suite(.waiting, .atOnce(3), .timeLimit(.minutes(10))) enum BuiltProgram {}
