import TestMachine
import Testing

/// The suites that fetch over real sockets. They run one at a time, because they count the threads and files of the
/// whole process.
@Suite(.wholeMachine, .waiting, .serialized, .timeLimit(.minutes(10))) enum NetworkSuite {}
