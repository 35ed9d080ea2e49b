package import CommandLineTool
import ScenarioEngine
import ScenarioFormat

extension StrategyOption {
  /// The strategies that the program offers.
  package static let program = StrategyOption(LaboratoryStrategies.names, standard: Scenario.standardStrategy)
}
