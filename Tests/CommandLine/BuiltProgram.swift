import Testing

/// The suites that run the built program, one at a time: many of them start several processes at once.
@Suite(.serialized, .timeLimit(.minutes(10))) enum BuiltProgram {}
