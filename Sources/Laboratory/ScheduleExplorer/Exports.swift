// A search runs code on a virtual runtime, so one import is enough for both modules.
@_exported public import VirtualTime
