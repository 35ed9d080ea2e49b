import FetcherApp

// The executable of another package can pass strategies, which then take part in every command.
Fetcher.main(strategies: [])
