import Scheduling

/// A gate at which a closure waits while everything else goes on.
struct VirtualGate: Gate {
  private let core: VirtualCore
  private let number: Int

  init(_ core: VirtualCore) {
    self.core = core
    number = core.makeGate()
  }

  func wait() { core.wait(number) }
  func open() { core.open(number) }
}
