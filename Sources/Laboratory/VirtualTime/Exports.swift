// The runtimes of this module conform to the protocols of that one, so one import is enough for both.
@_exported public import Scheduling
