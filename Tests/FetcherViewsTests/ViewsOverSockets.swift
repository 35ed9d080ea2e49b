import TestMachine
import Testing

/// The suites that fetch over real sockets. They run one at a time.
@Suite(.wholeMachine, .waiting, .serialized, .timeLimit(.minutes(10))) enum ViewsOverSockets {}
