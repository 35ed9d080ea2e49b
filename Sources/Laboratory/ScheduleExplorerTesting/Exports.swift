// Tests both describe and run searches, so a single import provides both modules.
@_exported public import ScheduleExplorer
