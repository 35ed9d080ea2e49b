// does not compile: call to main actor-isolated instance method 'viewWillAppear()' in a synchronous nonisolated context
import FetcherViews

func appear(_ view: ImageViewController) {
  view.viewWillAppear()
}
