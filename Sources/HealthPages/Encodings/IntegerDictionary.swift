/// The distinct numbers of a run, where they are few enough that places in their table are smaller than
/// the numbers themselves.
struct IntegerDictionary {
    /// More distinct numbers than this make no dictionary.
    static let greatestCount = 128

    /// Ascending.
    private let table: [Int64]
    private let bytesPerEntry: Int
    private let width: Int
    private let index: NumberIndex
    /// From the order of meeting to ascending order.
    private let ranks: [UInt64]

    /// `nil` when there are too many distinct numbers, or when `limit` bytes hold the run otherwise.
    init?(_ numbers: UnsafeBufferPointer<Int64>, below limit: Int) {
        var index = NumberIndex()
        var last = numbers[0] &+ 1
        for place in 0..<numbers.count where numbers[place] != last {
            last = numbers[place]
            // Early out: half a hundred numbers tell whether they repeat.
            guard index.insert(last), index.met.count * 2 <= place + 64 else { return nil }
        }
        table = index.met.sorted()
        let span = UInt64(bitPattern: table[table.count - 1] &- table[0])
        bytesPerEntry = max(1, (71 - span.leadingZeroBitCount) / 8)
        width = BitPacking.width(upTo: UInt64(table.count - 1))
        let size =
            3 + Varint.size(signed: table[0]) + table.count * bytesPerEntry
            + BitPacking.size(count: numbers.count, width: width)
        guard size < limit else { return nil }
        var ranks = Array(repeating: UInt64(0), count: table.count)
        for (rank, number) in table.enumerated() { ranks[index.place(of: number)] = UInt64(rank) }
        self.ranks = ranks
        self.index = index
    }

    func write(_ numbers: UnsafeBufferPointer<Int64>, to writer: inout ByteWriter) {
        writer.unsigned(table.count)
        writer.signed(table[0])
        writer.byte(UInt8(bytesPerEntry))
        for number in table {
            let offset = UInt64(bitPattern: number &- table[0])
            for place in 0..<bytesPerEntry {
                writer.byte(UInt8(truncatingIfNeeded: offset >> UInt64(8 * place)))
            }
        }
        writer.packed(count: numbers.count, width: width) { ranks[index.place(of: numbers[$0])] }
    }
}
