import TestMachine
import Testing

/// The suites that fetch over real sockets, one at a time.
@Suite(.wholeMachine, .serialized, .timeLimit(.minutes(10))) enum ViewsOverSockets {}
