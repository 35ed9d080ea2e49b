// The runtimes of this module conform to the protocols of `Scheduling`, so one import is enough for both.
@_exported public import Scheduling
