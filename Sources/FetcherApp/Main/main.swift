import FetcherApp
import SocketStrategy

// The executable of another package registers its strategies in the same way. They take part in every command.
Fetcher.main(strategies: [.socket])
