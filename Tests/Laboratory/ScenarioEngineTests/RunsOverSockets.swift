import TestMachine
import Testing

/// The suites that play scenarios over real sockets. Their tests mostly wait, for the times of a scenario to come.
@Suite(.wholeMachine, .waiting, .atOnce(4), .timeLimit(.minutes(10))) enum RunsOverSockets {}
