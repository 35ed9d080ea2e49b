/// The events of the model, by the names that patterns have for them as a `topic`. No step can publish one.
package enum ModelTopic: String, Sendable, CaseIterable {
  case fetchStarted = "ImageFetchStarted"
  case fetchProgress = "ImageFetchProgress"
  case fetched = "ImageFetched"
  case fetchFailed = "ImageFetchFailed"
  case fetchCancelled = "ImageFetchCancelled"
  case serviceChanged = "ServiceChanged"
  case serviceFailed = "ServiceFailed"
  case slidePictureFetched = "SlidePictureFetched"
  case slidePictureFailed = "SlidePictureFailed"
  case slideFavoriteChanged = "SlideFavoriteChanged"
  case serviceResponded = "ServiceResponded"
}
