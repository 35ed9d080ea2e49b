import TestMachine
import Testing

/// The suites whose tests run in separate processes, one at a time, because each keeps a core busy. They run in
/// parallel with other suites, from which they are isolated.
@Suite(.blocking, .serialized, .timeLimit(.minutes(10))) enum OwnProcesses {}
