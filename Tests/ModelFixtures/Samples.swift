package import FetcherModel
package import Foundation
import Testing

/// A small picture of each kind, 7 x 5 pixels, encoded by another program.
package struct Sample: Sendable, CustomTestStringConvertible {
  package let format: ImageFormat
  package let kind: String
  package let bytes: Data

  package init(_ format: ImageFormat, _ kind: String, _ base64: String) {
    self.format = format
    self.kind = kind
    bytes = Data(base64Encoded: base64) ?? Data()
  }

  package var testDescription: String { kind }

  package static let all = [jpeg, progressive, png, gif, lossyWebP, losslessWebP]

  package static let jpeg = Sample(
    .jpeg, "jpeg",
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////\
    ////////////////////wAALCAAFAAcBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAI\
    AQEAAD8AJ//Z
    """)

  package static let progressive = Sample(
    .jpeg, "progressive",
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////\
    ////////////////////wgALCAAFAAcBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAv/aAAgBAQAAAAEf/8QAFBABAAAAAAAAAAAA\
    AAAAAAAAAP/aAAgBAQABBQJ//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAGPwJ//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/a\
    AAgBAQABPyF//9oACAEBAAAAEP8A/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxB//9k=
    """)

  package static let png = Sample(
    .png, "png",
    """
    iVBORw0KGgoAAAANSUhEUgAAAAcAAAAFCAIAAAAG+GGPAAAAFElEQVR4nGM8IWfDgAGYMIWoIgoAfXgBLJORrTAAAAAASUVORK5C\
    YII=
    """)

  package static let gif = Sample(
    .gif, "gif",
    """
    R0lGODdhBwAFAIEAAMgePAAAAAAAAAAAACwAAAAABwAFAAAIDAABCBxIsKDBgwcDAgA7
    """)

  package static let lossyWebP = Sample(
    .webp, "lossyWebP",
    """
    UklGRjgAAABXRUJQVlA4ICwAAACQAQCdASoHAAUAAUAmJaACdLoAA5gA/vD6K67xaUa/+8Z//cZ//cZ/7uAAAA==
    """)

  package static let losslessWebP = Sample(
    .webp, "losslessWebP",
    """
    UklGRh4AAABXRUJQVlA4TBEAAAAvBgABAAdQjyKXp/+BiOh/AAA=
    """)
}
