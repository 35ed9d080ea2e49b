import TestMachine
import Testing

/// The suites that fetch over real sockets, one at a time: they count the threads and files of the whole process.
@Suite(.wholeMachine, .waiting, .serialized, .timeLimit(.minutes(10))) enum NetworkSuite {}
