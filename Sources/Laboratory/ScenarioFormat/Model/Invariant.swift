/// What must hold in every run of every scenario, without a word in its file.
package enum Invariant: String, Sendable, CaseIterable {
  case uiOffMain = "ui-off-main"
  case staleImage = "stale-image"
  case updateAfterDisappear = "update-after-disappear"
  case subscribedAfterDisappear = "subscribed-after-disappear"
  case duplicateFetch = "duplicate-fetch"
  case completedTwice = "completed-twice"
  case neverCompleted = "never-completed"
  case leakedModel = "leaked-model"
  case leakedSubscription = "leaked-subscription"
  case deliveredAfterCancel = "delivered-after-cancel"
  case deadlock
  case starvedPool = "starved-pool"
  case reentrantState = "reentrant-state"
  case livelock
}
