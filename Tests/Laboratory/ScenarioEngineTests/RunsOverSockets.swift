import TestMachine
import Testing

/// The suites that run scenarios over real sockets. Their tests mostly wait for the times of the scenarios' steps.
@Suite(.wholeMachine, .waiting, .atOnce(4), .timeLimit(.minutes(10))) enum RunsOverSockets {}
