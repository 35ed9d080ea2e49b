/// The end of every report: no search varies everything.
package enum NotVaried {
  /// The page that lists what no search varies, in the documentation of the explorer, `Sources/Laboratory/ScheduleExplorer`.
  package static let page = "ScheduleExplorer.docc/WhatItCannotFind.md"
  /// The line that names it, in 80 columns.
  package static let line = "not varied: \(page)"
}
