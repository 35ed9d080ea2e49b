// Whoever uses the model subscribes to its events, so one import is enough for both modules.
@_exported public import EventBus
