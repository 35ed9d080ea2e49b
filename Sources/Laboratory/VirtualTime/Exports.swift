// The runtimes of this module conform to the protocols of `Scheduling`, so a single import provides both.
@_exported public import Scheduling
