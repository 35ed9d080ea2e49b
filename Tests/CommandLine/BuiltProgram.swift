import TestMachine
import Testing

/// The suites that run the built program, one at a time: some of them measure how long it takes.
@Suite(.wholeMachine, .serialized, .timeLimit(.minutes(10))) enum BuiltProgram {}
