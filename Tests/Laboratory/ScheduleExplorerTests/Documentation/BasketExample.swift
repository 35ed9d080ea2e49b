import ScheduleExplorerTesting
import TestMachine
import Testing
import VirtualTime

@Suite("The example in the comment on exploringSwift", .childProcesses, .exploresSwift) struct BasketExample {
  // snippet
  @Test func basket() async {
    await #expect(processExitsWith: .success) { exploringSwift { try await basketStaysWhole() } }
  }
  // end
}

private actor Basket {
  private(set) var count = 0

  func add() { count += 1 }
}

private func basketStaysWhole() async throws {
  let basket = Basket()
  async let tea: Void = basket.add()
  async let cups: Void = basket.add()
  _ = await (tea, cups)
  let count = await basket.count
  try check(count == 2, "\(count) in the basket")
}
