/// The entropy-coded data of a sequential JPEG scan, decoded only to count its blocks.
///
/// Some encoders omit the end marker. A JPEG without it is complete if its last scan contains all blocks, and cut off
/// if the bits end earlier. Progressive and arithmetic-coded scans are not decoded.
struct JPEGScan {
  /// The facts about the blocks of scans that the other segments state.
  struct Header {
    struct Component {
      let id: UInt8
      let across: Int
      let down: Int
    }
    fileprivate var isSequential = false
    fileprivate var size: (width: Int, height: Int) = (0, 0)
    fileprivate var components: [Component] = []
    /// The Huffman tables by the byte that defines them: their class in the high nibble, their number in the low one.
    fileprivate var tables: [UInt8: HuffmanTable] = [:]
    fileprivate var restartInterval = 0
    fileprivate var scanned: Set<UInt8> = []

    /// Reads a segment if it describes scans. A corrupt segment only makes scans undecodable.
    mutating func read(_ marker: UInt8, _ segment: ByteCursor) {
      var segment = segment
      switch marker {
      case 0xC4:
        while let key = try? segment.byte(), let table = try? HuffmanTable(&segment) { tables[key] = table }
      case 0xDD: restartInterval = (try? segment.bigEndian(2)) ?? 0
      case 0xDA:
        for _ in 0..<((try? segment.byte()) ?? 0) {
          // A hostile segment can announce 255 components and contain none.
          guard let id = try? segment.byte(), (try? segment.byte()) != nil else { break }
          scanned.insert(id)
        }
      case 0xC0...0xCF where marker != 0xC8 && marker != 0xCC: try? readFrame(marker, &segment)
      default: break
      }
    }

    private mutating func readFrame(_ marker: UInt8, _ segment: inout ByteCursor) throws(FetchError) {
      isSequential = marker == 0xC0 || marker == 0xC1
      components = []
      try segment.skip(1)
      size.height = try segment.bigEndian(2)
      size.width = try segment.bigEndian(2)
      for _ in 0..<(try segment.byte()) {
        let id = try segment.byte()
        let factors = Int(try segment.byte())
        components.append(Component(id: id, across: factors >> 4, down: factors & 15))
        try segment.skip(1)
      }
    }
  }

  private struct Block {
    let dc: HuffmanTable
    let ac: HuffmanTable
  }

  private var reader: BitReader
  private let units: Int
  private let blocks: [Block]
  private let restartInterval: Int
  private let isLast: Bool

  /// Returns nil if the scan cannot be decoded.
  ///
  /// - Parameters:
  ///   - header: the segments so far, including the scan's own.
  ///   - segment: the content of the scan's segment.
  ///   - data: the bytes, from the start of the entropy-coded data.
  init?(_ header: Header, _ segment: ByteCursor, data: ByteCursor) {
    var segment = segment
    var selected: [(component: Header.Component, tables: UInt8)] = []
    for _ in 0..<((try? segment.byte()) ?? 0) {
      guard let id = try? segment.byte(), let tables = try? segment.byte(),
        let component = header.components.first(where: { $0.id == id })
      else { return nil }
      selected.append((component, tables))
    }
    guard header.isSequential, !selected.isEmpty, header.components.allSatisfy({ $0.across > 0 && $0.down > 0 }) else {
      return nil
    }
    var blocks: [Block] = []
    for (component, tables) in selected {
      guard let dc = header.tables[tables >> 4], let ac = header.tables[0x10 | tables & 15] else { return nil }
      // A scan of one component contains its blocks one by one. Otherwise, they are grouped by sampling factors.
      let count = selected.count == 1 ? 1 : component.across * component.down
      blocks += Array(repeating: Block(dc: dc, ac: ac), count: count)
    }
    let most = (
      across: header.components.map(\.across).max() ?? 1, down: header.components.map(\.down).max() ?? 1
    )
    let single = selected.count == 1 ? selected[0].component : nil
    func count(_ pixels: Int, _ factor: Int?, _ most: Int) -> Int {
      guard let factor else { return (pixels + 8 * most - 1) / (8 * most) }
      return ((pixels * factor + most - 1) / most + 7) / 8
    }
    units = count(header.size.width, single?.across, most.across) * count(header.size.height, single?.down, most.down)
    self.blocks = blocks
    restartInterval = header.restartInterval
    isLast = header.scanned.count == header.components.count
    reader = BitReader(data)
  }

  /// Whether the picture needs no scan after this one, and this scan's data contains all of its blocks.
  consuming func isWhole() -> Bool {
    guard isLast else { return false }
    for unit in 0..<units {
      if restartInterval > 0, unit > 0, unit % restartInterval == 0, !reader.skipRestartMarker() { return false }
      for block in blocks where !skip(block) { return false }
    }
    return true
  }

  private mutating func skip(_ block: Block) -> Bool {
    guard let difference = block.dc.decode(&reader), reader.skip(Int(difference)) else { return false }
    var index = 1
    while index < 64 {
      guard let symbol = block.ac.decode(&reader) else { return false }
      let (zeros, length) = (Int(symbol >> 4), Int(symbol & 15))
      // Without a length, 15 zeros mean a run of 16 and any other number ends the block.
      if length == 0, zeros < 15 { break }
      guard reader.skip(length) else { return false }
      index += zeros + 1
    }
    return true
  }
}

/// A canonical Huffman code with at most 16 bits per symbol.
private struct HuffmanTable {
  private var counts: [Int] = []
  private var symbols: [UInt8] = []

  init(_ segment: inout ByteCursor) throws(FetchError) {
    for _ in 0..<16 { counts.append(Int(try segment.byte())) }
    for _ in 0..<counts.reduce(0, +) { symbols.append(try segment.byte()) }
  }

  /// Returns the next symbol, or nil if the bits end or are not a code.
  func decode(_ reader: inout BitReader) -> UInt8? {
    var (code, first, index) = (0, 0, 0)
    for count in counts {
      guard let bit = reader.bit() else { return nil }
      code |= bit
      if code - first < count { return symbols[index + code - first] }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return nil
  }
}

/// Reads the bits of a scan without its stuffed zeros, up to the next marker.
private struct BitReader {
  private var cursor: ByteCursor
  private var byte = 0
  private var left = 0

  init(_ cursor: ByteCursor) { self.cursor = cursor }

  mutating func bit() -> Int? {
    if left == 0 {
      guard let next = try? cursor.byte() else { return nil }
      if next == 0xFF {
        guard (try? cursor.byte()) == 0 else { return nil }
      }
      (byte, left) = (Int(next), 8)
    }
    left -= 1
    return byte >> left & 1
  }

  mutating func skip(_ count: Int) -> Bool {
    for _ in 0..<count where bit() == nil { return false }
    return true
  }

  mutating func skipRestartMarker() -> Bool {
    left = 0
    guard (try? cursor.byte()) == 0xFF, let marker = try? cursor.byte() else { return false }
    return (0xD0...0xD7).contains(marker)
  }
}
