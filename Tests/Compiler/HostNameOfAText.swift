// does not compile: cannot convert value of type 'String' to expected argument type 'HostName'
import FetcherModel

let host = readLine() ?? ""
FetchEnvironment().updateHeaders(for: host) { $0["Authorization"] = "Bearer x" }
