import TestMachine
import Testing

/// The suites whose tests run in a process of their own, one at a time: each keeps a core busy. Beside the others, of which they
/// see nothing.
@Suite(.blocking, .serialized, .timeLimit(.minutes(10))) enum OwnProcesses {}
