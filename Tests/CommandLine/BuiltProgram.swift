import TestMachine
import Testing

/// The suites that run the built program, a few tests at a time: many of them start several processes at once.
@Suite(.atOnce(3), .timeLimit(.minutes(10))) enum BuiltProgram {}
