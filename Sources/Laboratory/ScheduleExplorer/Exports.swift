// A search runs code on a virtual runtime, so a single import provides both modules.
@_exported public import VirtualTime
