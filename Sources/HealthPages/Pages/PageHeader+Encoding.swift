import HealthModel

extension PageHeader {
    /// First two bytes of every header: "HP".
    static let magic: [UInt8] = [0x48, 0x50]
    /// The checksum of what follows it stands here.
    static let checksumOffset = 4
    static let fixedLength = 8

    /// The header as bytes; see Docs/Format/Page-v1.md.
    public func encode() -> [UInt8] {
        var writer = ByteWriter()
        writer.reserve(128)
        writer.raw(Self.magic)
        writer.byte(formatVersion)
        writer.byte(traits.rawValue)
        writer.fixed32(0)
        writer.unsigned(UInt64(type.rawValue))
        writer.unsigned(count)
        writer.unsigned(bodyLength)
        writer.fixed64(bodyChecksum)
        writer.number(firstStart)
        writer.number(lastStart)
        writer.number(greatestEnd)
        writer.signed(leastSequence)
        writer.unsigned(UInt64(bitPattern: greatestSequence &- leastSequence))
        writer.unsigned(UInt64(bitPattern: firstSequence &- leastSequence))
        writer.number(sum)
        writer.number(minimum)
        writer.number(maximum)
        writer.number(latest.value)
        writer.number(latest.start)
        writer.unsigned(UInt64(bitPattern: latest.sequence &- leastSequence))
        writer.number(coveredDuration)
        writer.number(totalDuration)
        writer.number(weightedSum)
        writer.ascending(units)
        writer.ascending(revisions)
        writer.ascending(devices)
        writer.replace32(Self.checksum(traits: traits, writer.bytes), at: Self.checksumOffset)
        return writer.bytes
    }

    /// Reads what ``encode()`` wrote and validates it.
    public init(decoding bytes: [UInt8]) throws(PageError) {
        self = try ByteReader.lending(bytes) { raw throws(PageError) in try PageHeader(decoding: raw) }
    }

    /// Reads what ``encode()`` wrote and validates it.
    public init(decoding bytes: UnsafeRawBufferPointer) throws(PageError) {
        var reader = ByteReader(bytes)
        guard bytes.count >= Self.fixedLength else { throw reader.error(.truncated, "page header") }
        let magic = try reader.take(2, "magic")
        guard magic[0] == Self.magic[0], magic[1] == Self.magic[1] else {
            throw PageError(.badMagic, "page header", at: 0)
        }
        formatVersion = try reader.byte("format version")
        guard formatVersion == Self.currentVersion else {
            throw PageError(.unsupportedVersion, "page header", at: 2)
        }
        traits = Traits(rawValue: try reader.byte("traits"))
        let checksum = try reader.fixed32("header checksum")
        let rest = UnsafeRawBufferPointer(rebasing: bytes[Self.fixedLength...])
        guard checksum == Self.checksum(traits: traits, rest) else {
            throw PageError(.badChecksum, "header checksum", at: Self.checksumOffset)
        }
        type = TypeCode(rawValue: UInt32(try reader.count("type", atMost: Int(UInt32.max))))
        count = try reader.count("count", atMost: Self.greatestCount)
        bodyLength = try reader.count("body length", atMost: Int(Int32.max))
        bodyChecksum = try reader.fixed64("body checksum")
        firstStart = try reader.number("first start")
        lastStart = try reader.number("last start")
        greatestEnd = try reader.number("greatest end")
        leastSequence = try reader.signed("least sequence")
        greatestSequence = leastSequence &+ Int64(bitPattern: try reader.unsigned("greatest sequence"))
        firstSequence = leastSequence &+ Int64(bitPattern: try reader.unsigned("first sequence"))
        sum = try reader.number("sum")
        minimum = try reader.number("minimum")
        maximum = try reader.number("maximum")
        let latestValue = try reader.number("latest value")
        let latestStart = try reader.number("latest start")
        latest = Latest(
            value: latestValue, start: latestStart, end: greatestEnd,
            sequence: leastSequence &+ Int64(bitPattern: try reader.unsigned("latest sequence")))
        coveredDuration = try reader.number("covered duration")
        totalDuration = try reader.number("total duration")
        weightedSum = try reader.number("weighted sum")
        units = try reader.ascending("units", atMost: count)
        revisions = try reader.ascending("revisions", atMost: count)
        devices = try reader.ascending("devices", atMost: count)
        try reader.finish("header length")
        try validate()
    }

    /// The low half of XXH64 over all behind the fixed part, with the traits folded in.
    private static func checksum(traits: Traits, _ rest: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(truncatingIfNeeded: Checksum.of(rest)) ^ UInt32(traits.rawValue) &* 0x9E37_79B1
    }

    private static func checksum(traits: Traits, _ whole: [UInt8]) -> UInt32 {
        whole.withUnsafeBytes { checksum(traits: traits, UnsafeRawBufferPointer(rebasing: $0[fixedLength...])) }
    }
}

extension ByteWriter {
    /// A list of ascending numbers: how many, the first, then each less its predecessor.
    fileprivate mutating func ascending(_ list: [UInt32]) {
        unsigned(list.count)
        var last: UInt32 = 0
        for number in list {
            unsigned(UInt64(number &- last))
            last = number
        }
    }
}

extension ByteReader {
    fileprivate mutating func ascending(_ what: StaticString, atMost limit: Int) throws(PageError) -> [UInt32] {
        let size = try count(what, atMost: min(limit, remaining))
        var list: [UInt32] = []
        list.reserveCapacity(size)
        var last = 0
        for index in 0..<size {
            let step = try count(what, atMost: Int(UInt32.max))
            last += step
            guard last <= Int(UInt32.max), index == 0 || step > 0 else { throw error(.inconsistent, what) }
            list.append(UInt32(last))
        }
        return list
    }
}
