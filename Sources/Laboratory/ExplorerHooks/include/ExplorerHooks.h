/// This module has no functions to call. Linking it lets `exploreSwift` interrupt a job at hops between actors, at
/// cancellations and at locks, and gives the explored code virtual clocks.
