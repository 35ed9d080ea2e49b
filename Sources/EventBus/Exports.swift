// Clients of the bus need schedulers, runtimes and cancellations, so one import is enough for both modules.
@_exported public import Scheduling
