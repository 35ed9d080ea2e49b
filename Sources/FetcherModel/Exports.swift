// Clients of the model subscribe to its events, so a single import provides both modules.
@_exported public import EventBus
