/// The JSON Schema for the output of `fetcher explore --json`. New versions only add keys.
enum ExplorationSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Searches for the order of events that breaks a scenario, as printed by fetcher explore --json",
      "type": "object",
      "required": ["runs"],
      "properties": {"runs": {"type": "array", "items": {"$ref": "#/$defs/run"}, "description": "one entry per search"}},
      "$defs": {
        "run": {
          "type": "object",
          "required": ["scenario", "file", "strategy", "variant", "clock", "sought", "statistics", "ok"],
          "properties": {
            "scenario": {"type": "string"},
            "file": {"type": "string"},
            "strategy": {"type": "string"},
            "variant": {"type": "string"},
            "clock": {"enum": ["virtual"]},
            "sought": {"type": "array", "items": {"type": "string"}, "description": "the violations to search for"},
            "search": {"type": "string", "description": "the search policy, such as mixed; missing for a replay and a small scope"},
            "seed": {"type": "integer", "description": "the seed of all random choices"},
            "shard": {"type": "string", "description": "the part of the search, such as 2/4; missing for a whole search"},
            "failure": {"$ref": "#/$defs/failure"},
            "smallScope": {"$ref": "#/$defs/smallScope"},
            "statistics": {"$ref": "#/$defs/statistics"},
            "digests": {"$ref": "#/$defs/digests"},
            "notVaried": {"type": "string", "description": "the page in the repository that lists what searches never vary"},
            "ok": {"type": "boolean", "description": "no violation was found, or the expected one was found"}
          }
        },
        "failure": {
          "type": "object",
          "required": ["message", "token", "deviations", "isMinimal", "schedule"],
          "properties": {
            "message": {"type": "string"},
            "token": {"type": "string", "description": "the token that replays the schedule, decision by decision"},
            "orderToken": {"type": "string", "description": "the token that replays the order of named items, also on a repaired program"},
            "deviations": {"type": "integer", "description": "the number of deviations from first in, first out"},
            "isMinimal": {"type": "boolean", "description": "no schedule with fewer deviations fails"},
            "schedule": {"type": "integer", "description": "the number of schedules that ran, up to and including the one that failed"},
            "flippedPair": {"type": "string", "description": "the two items whose order separates a failing from a passing schedule"},
            "pointOfNoReturn": {"$ref": "#/$defs/jump"},
            "story": {"type": "string", "description": "what the user did and which pictures arrived, in order; only with --html"},
            "needlessSteps": {
              "type": "array", "items": {"type": "string"},
              "description": "the locations of the steps that the failure does not need; only with --smaller"
            },
            "needlessImages": {
              "type": "array", "items": {"type": "string"},
              "description": "the ids of the images that the failure does not need; only with --smaller"
            }
          }
        },
        "jump": {
          "type": "object",
          "required": ["step", "name", "before", "after"],
          "properties": {
            "step": {"type": "integer", "description": "the number of the item among the items that ran"},
            "name": {"type": "string"},
            "before": {"type": "number", "description": "the share of random completions that fail, from 0 to 1"},
            "after": {"type": "number"}
          }
        },
        "smallScope": {
          "type": "object",
          "required": ["steps", "scenarios", "tried", "played"],
          "properties": {
            "steps": {"type": "integer", "description": "maximum steps of a scenario"},
            "scenarios": {"type": "integer", "description": "the number of scenarios in the scope"},
            "tried": {"type": "integer", "description": "the number of tried scenarios"},
            "played": {"type": "integer", "description": "the number of tried scenarios that were valid"},
            "failing": {"type": "array", "items": {"type": "string"}, "description": "the steps of the scenario that breaks"}
          }
        },
        "statistics": {
          "type": "object",
          "required": ["schedules", "distinctSchedules", "failing", "outcomes", "schedulesPerSecond"],
          "properties": {
            "schedules": {"type": "integer"},
            "distinctSchedules": {"type": "integer", "description": "at most 100,000 are counted in each shard"},
            "failing": {"type": "integer"},
            "outcomes": {"type": "integer", "description": "the number of different outcomes; at most 1000 are counted in each shard"},
            "schedulesPerSecond": {"type": "integer"},
            "bound": {"$ref": "#/$defs/bound"}
          }
        },
        "bound": {
          "type": "object",
          "description": "the progress of an exhaustive search",
          "required": ["deviations", "schedules", "isEverything", "levels"],
          "properties": {
            "deviations": {"type": "integer"},
            "schedules": {"type": "integer"},
            "isEverything": {"type": "boolean", "description": "whether the search ran the items in every order, or in every order of its shard"},
            "levels": {"type": "array", "items": {"type": "integer"}, "description": "the number of schedules without a deviation, with one deviation, with two, and so on"}
          }
        },
        "digests": {
          "type": "object",
          "description": "the digests of a shard's outcomes and schedules, for --merge; eight bytes each, in Base64",
          "required": ["outcomes", "schedules"],
          "properties": {"outcomes": {"type": "string"}, "schedules": {"type": "string"}}
        }
      }
    }
    """#
}
