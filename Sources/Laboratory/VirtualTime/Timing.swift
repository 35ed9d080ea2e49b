/// How exactly a virtual runtime keeps to the due times.
public enum Timing: Sendable, Equatable {
  /// What has a delay runs when it is due, in the order of the due times. A policy may choose among what is due together, but for
  /// items of one kind on one serial scheduler, which keep the order in which they were scheduled.
  case exact
  /// A network may be slower and a user quicker than written down. A completion may run as soon as its request is under
  /// way, before or after anything else; a step of the user, too, but never before an earlier one. The time then jumps to
  /// their due time, if that is still to come. All other timers keep their order. In unmodified Swift code, where a
  /// `Task.sleep` stands for whatever takes a while, every sleep may end as soon as it has begun.
  case any
  /// As ``any``, but a completion, a step of the user and a `Task.sleep` may be late by no more than so long, and timers keep to their
  /// due times.
  case slack(Duration)
}
