// Tests describe and run searches, so one import is enough for both modules.
@_exported public import ScheduleExplorer
