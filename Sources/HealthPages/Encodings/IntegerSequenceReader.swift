/// Reads what ``IntegerSequenceWriter`` wrote.
enum IntegerSequenceReader {
    /// Fills `target[0..<count]`.
    static func read(
        _ reader: inout ByteReader, count: Int, into target: UnsafeMutablePointer<Int64>,
        _ what: StaticString
    ) throws(PageError) {
        guard count > 0 else { return }
        guard let encoding = IntegerEncoding(rawValue: try reader.byte(what)) else {
            throw reader.error(.inconsistent, what)
        }
        switch encoding {
        case .constant:
            target.update(repeating: try reader.signed(what), count: count)
        case .packed:
            try packed(&reader, count: count, into: target, what)
        case .patched:
            try patched(&reader, count: count, into: target, what)
        case .dictionary:
            try dictionary(&reader, count: count, into: target, what)
        case .stride:
            let first = try reader.signed(what)
            let step = try reader.signed(what)
            for index in 0..<count { target[index] = first &+ Int64(index) &* step }
        case .steppedPacked:
            target[0] = try reader.signed(what)
            try packed(&reader, count: count - 1, into: target + 1, what)
            sum(target, count: count)
        case .steppedPatched:
            target[0] = try reader.signed(what)
            try patched(&reader, count: count - 1, into: target + 1, what)
            sum(target, count: count)
        }
    }

    private static func packed(
        _ reader: inout ByteReader, count: Int, into target: UnsafeMutablePointer<Int64>,
        _ what: StaticString
    ) throws(PageError) {
        let base = try reader.signed(what)
        let width = Int(try reader.byte(what))
        try reader.packed(count: count, width: width, adding: base, into: target, what)
    }

    private static func patched(
        _ reader: inout ByteReader, count: Int, into target: UnsafeMutablePointer<Int64>,
        _ what: StaticString
    ) throws(PageError) {
        let base = try reader.signed(what)
        let width = Int(try reader.byte(what))
        let exceptions = try reader.count(what, atMost: count)
        try reader.packed(count: count, width: width, adding: base, into: target, what)
        var place = 0
        for _ in 0..<exceptions {
            place += try reader.count(what, atMost: count)
            guard place < count else { throw reader.error(.inconsistent, what) }
            target[place] = base &+ (try reader.signed(what))
        }
    }

    private static func dictionary(
        _ reader: inout ByteReader, count: Int, into target: UnsafeMutablePointer<Int64>,
        _ what: StaticString
    ) throws(PageError) {
        let entries = try reader.count(what, atMost: IntegerDictionary.greatestCount)
        let base = try reader.signed(what)
        let bytesPerEntry = Int(try reader.byte(what))
        guard entries > 0, (1...8).contains(bytesPerEntry) else { throw reader.error(.inconsistent, what) }
        let list = try reader.take(entries * bytesPerEntry, what)
        // A power of two of entries, so that no packed place can lead outside the table.
        let width = BitPacking.width(upTo: UInt64(entries - 1))
        let table = UnsafeMutablePointer<Int64>.allocate(capacity: 1 << width)
        defer { table.deallocate() }
        table.initialize(repeating: base, count: 1 << width)
        for entry in 0..<entries {
            var offset: UInt64 = 0
            for place in 0..<bytesPerEntry {
                offset |= UInt64(list[entry * bytesPerEntry + place]) << UInt64(8 * place)
            }
            table[entry] = base &+ Int64(bitPattern: offset)
        }
        try reader.packed(count: count, width: width, adding: 0, into: target, what)
        var outside = false
        for index in 0..<count {
            let place = Int(target[index])
            outside = outside || place >= entries
            target[index] = table[place]
        }
        guard !outside else { throw reader.error(.inconsistent, what) }
    }

    /// Steps become numbers, in place.
    private static func sum(_ target: UnsafeMutablePointer<Int64>, count: Int) {
        var number = target[0]
        for index in 1..<max(1, count) {
            number &+= target[index]
            target[index] = number
        }
    }
}
