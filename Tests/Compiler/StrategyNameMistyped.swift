// does not compile: type 'StrategyName' has no member 'dataTasks'
import FetcherModel

try FetchEnvironment().select(.dataTasks)
