/// The JSON Schema for the output of `fetcher compare --json`. New versions only add keys.
package enum ComparisonSchema {
  package static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A comparison of fetch strategies, as printed by fetcher compare --json",
      "type": "object",
      "required": ["comparison", "program", "incomplete", "seconds", "machine", "settings", "samples", "behaviour", "rows"],
      "properties": {
        "comparison": {"const": 1, "description": "version of the format"},
        "program": {"type": "string", "description": "version of fetcher"},
        "incomplete": {"type": "boolean", "description": "whether the comparison ended early"},
        "seconds": {"type": "number"},
        "machine": {
          "type": "object",
          "required": ["cores", "system", "swift", "build"],
          "properties": {
            "cores": {"type": "integer"},
            "system": {"type": "string"},
            "swift": {"type": "string"},
            "build": {"enum": ["release", "debug"]},
            "loadBefore": {"type": "number", "description": "load average of the last minute"},
            "loadAfter": {"type": "number"}
          }
        },
        "settings": {
          "type": "object",
          "required": ["seed", "blocks", "contenders", "workloads"],
          "properties": {
            "seed": {"type": "integer", "description": "determines the order in each block"},
            "blocks": {"type": "integer", "description": "number of blocks, without the warm-up"},
            "contenders": {"type": "array", "items": {"$ref": "#/$defs/contender"}},
            "workloads": {"type": "array", "items": {"$ref": "#/$defs/workload"}},
            "front": {"type": "string", "description": "the server that provided TLS"},
            "options": {
              "type": "array", "items": {"type": "string"}, "description": "what changed the workloads or strategies"
            },
            "waitedIdle": {"type": "boolean", "description": "whether --wait-idle was given"},
            "until": {
              "type": "object",
              "description": "blocks were added until each workload was decided",
              "required": ["error", "limit"],
              "properties": {
                "error": {"type": "number", "description": "probability that any decision of a workload is wrong"},
                "limit": {"type": "number", "description": "maximum measuring time, in seconds"}
              }
            }
          }
        },
        "samples": {"type": "array", "items": {"$ref": "#/$defs/sample"}, "description": "every run, in order"},
        "behaviour": {"type": "array", "items": {"$ref": "#/$defs/behavior"}},
        "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}, "description": "computed from the samples"},
        "answer": {"$ref": "#/$defs/answer", "description": "the screen, computed from the samples"},
        "decisions": {"type": "array", "items": {"$ref": "#/$defs/decision"}, "description": "computed from the samples"}
      },
      "$defs": {
        "contender": {
          "type": "object",
          "required": ["name", "role"],
          "properties": {
            "name": {"type": "string"},
            "role": {"enum": ["reference", "control", "strategy", "floor", "bare"]},
            "loadsHTTPS": {"type": "boolean", "description": "whether a strategy can load https as well as http"},
            "note": {"type": "string", "description": "how a strategy works"},
            "unfit": {"type": "string", "description": "why a strategy is never recommended"}
          }
        },
        "workload": {
          "type": "object",
          "required": ["workload", "images", "size", "latency", "inFlight"],
          "properties": {
            "workload": {"enum": ["list", "gallery", "scroll", "feed", "large-feed", "wait", "flaky", "stall", "url", "scenario"]},
            "transport": {"enum": ["http", "https/1.1", "https/2"], "description": "http if absent"},
            "images": {"type": "integer"},
            "size": {"type": "integer", "description": "size of each image, in bytes"},
            "latency": {"type": "number", "description": "seconds until the server answers"},
            "inFlight": {"type": "integer"},
            "rate": {"type": "number", "description": "planned arrivals per second (open-loop load)"},
            "urls": {"type": "array", "items": {"type": "string"}},
            "pictureSize": {"type": "integer", "description": "size of the large picture in feed, in bytes"},
            "scenario": {"type": "string", "description": "the file whose steps are performed"},
            "duration": {"type": "number", "description": "predicted seconds of one run of the scenario"},
            "network": {
              "type": "object",
              "description": "the simulated network; without it, loopback",
              "required": ["roundTrip"],
              "properties": {
                "roundTrip": {"type": "number", "description": "seconds"},
                "bandwidth": {"type": "number", "description": "bits per second, in each direction"}
              }
            }
          }
        },
        "sample": {
          "type": "object",
          "required": ["workload", "block", "position", "contender", "values", "latencies"],
          "properties": {
            "workload": {"type": "string"},
            "transport": {"enum": ["http", "https/1.1", "https/2"], "description": "http if absent"},
            "block": {"type": "integer", "description": "0 is the warm-up, which does not count"},
            "position": {"type": "integer", "description": "in its block, from 0"},
            "contender": {"type": "string"},
            "failure": {"type": "string", "description": "why there are no values"},
            "values": {
              "type": "object",
              "additionalProperties": {"type": "number"},
              "description": "by metric: bytes, seconds, counts; cpu in seconds for 1,000 images"
            },
            "protocols": {
              "type": "array", "items": {"type": "string"}, "description": "of the requests that reached the TLS server"
            },
            "latencies": {"type": "array", "items": {"type": "number"}, "description": "seconds, in completion order"},
            "serviceTimes": {"type": "array", "items": {"type": "number"}, "description": "from the actual start (open-loop load)"},
            "series": {
              "type": "object",
              "properties": {
                "seconds": {"type": "array", "items": {"type": "number"}},
                "threads": {"type": "array", "items": {"type": "integer"}},
                "memory": {"type": "array", "items": {"type": "integer"}},
                "cpu": {"type": "array", "items": {"type": "number"}}
              }
            },
            "stalls": {
              "type": "object",
              "properties": {
                "seconds": {"type": "array", "items": {"type": "number"}},
                "stall": {"type": "array", "items": {"type": "number"}}
              }
            }
          }
        },
        "answer": {
          "type": "object",
          "required": ["scope", "warnings", "rows", "sentences"],
          "properties": {
            "scope": {"type": "string", "description": "what was measured, and where"},
            "warnings": {"type": "array", "items": {"type": "string"}},
            "rows": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["workload", "situation", "cells"],
                "properties": {
                  "workload": {"type": "string"},
                  "situation": {"type": "string"},
                  "cells": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "required": ["transport", "degree", "strategies", "measures"],
                      "properties": {
                        "transport": {"enum": ["http", "https/1.1", "https/2"]},
                        "degree": {"enum": ["sure", "probably", "undecided", "none"]},
                        "strategies": {"type": "array", "items": {"type": "string"}, "description": "those that can be the best"},
                        "measures": {
                          "type": "array",
                          "items": {
                            "type": "object",
                            "required": ["metric", "values"],
                            "properties": {
                              "metric": {"type": "string"},
                              "values": {
                                "type": "array",
                                "items": {
                                  "type": "object",
                                  "required": ["strategy", "text", "standing"],
                                  "properties": {
                                    "strategy": {"type": "string"},
                                    "text": {"type": "string", "description": "the median"},
                                    "standing": {
                                      "enum": ["reference", "tie", "open", "better", "worse", "better?", "worse?", "?"],
                                      "description": "compared with the reference"
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            },
            "sentences": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["subject", "text"],
                "properties": {"subject": {"type": "string"}, "text": {"type": "string"}}
              }
            },
            "command": {"type": "string", "description": "what to run next"}
          }
        },
        "behavior": {
          "type": "object",
          "required": ["scenario", "title", "strategy", "verdict"],
          "properties": {
            "scenario": {"type": "string"},
            "title": {"type": "string"},
            "strategy": {"type": "string"},
            "verdict": {"enum": ["holds", "breaks", "n/a"]},
            "failure": {"type": "string", "description": "what is wrong"},
            "why": {"type": "string", "description": "why it should hold"}
          }
        },
        "decision": {
          "type": "object",
          "required": ["workload", "verdict", "blocks"],
          "properties": {
            "workload": {"type": "string"},
            "transport": {"enum": ["http", "https/1.1", "https/2"], "description": "http if absent"},
            "verdict": {"enum": ["ahead", "equal", "undecided"]},
            "blocks": {"type": "integer", "description": "largest number of blocks of a contender, without the warm-up"}
          }
        },
        "row": {
          "type": "object",
          "required": ["workload", "transport", "metric", "unit", "prefers", "contender", "role", "runs", "median", "verdict", "unproven"],
          "properties": {
            "workload": {"type": "string"},
            "transport": {"enum": ["http", "https/1.1", "https/2"]},
            "metric": {"type": "string"},
            "unit": {"type": "string"},
            "prefers": {"enum": ["higher", "lower", "neither"], "description": "the better direction"},
            "contender": {"type": "string"},
            "role": {"type": "string"},
            "runs": {"type": "integer"},
            "median": {"type": "number"},
            "low": {"type": "number", "description": "lower end of the interval of the median"},
            "high": {"type": "number"},
            "effect": {"enum": ["ratio", "difference"], "description": "against the reference, paired within blocks"},
            "effectMedian": {"type": "number"},
            "effectLow": {"type": "number"},
            "effectHigh": {"type": "number"},
            "coverage": {"type": "number", "description": "of the intervals"},
            "p": {"type": "number", "description": "of the sign-flip test, or of the bets on the median"},
            "adjustedP": {"type": "number", "description": "after Holm's correction"},
            "verdict": {"enum": ["reference", "~", "better", "better?", "worse", "worse?", "differs", "?"]},
            "unproven": {"type": "boolean", "description": "the reference differs from itself"}
          }
        }
      }
    }
    """#
}
