// A client of the model subscribes to its events. One import is enough for both modules.
@_exported public import EventBus
