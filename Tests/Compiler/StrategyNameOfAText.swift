// does not compile: cannot convert value of type 'String' to expected argument type 'StrategyName'
import FetcherModel

let name = readLine() ?? ""
try FetchEnvironment().select(name)
