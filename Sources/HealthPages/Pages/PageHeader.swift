package import HealthModel

/// The summary of a page, which often spares a query the page's body.
///
/// Dates are seconds since 2001-01-01 00:00:00 UTC. Statistics are in the units in which the values were written,
/// so they are meaningful only if ``units`` has one entry. Sums are added in row order, so that decoding the page
/// and adding its values gives the same bits.
package struct PageHeader: Hashable, Sendable {
    /// The format version that this library writes.
    package static let currentVersion: UInt8 = 1
    /// The maximum number of samples in a page.
    package static let maximumCount = 65_536

    /// The format version of the page.
    package var formatVersion: UInt8 = PageHeader.currentVersion
    /// The type of the page's samples.
    package var type: TypeCode
    /// The number of samples; at least 1.
    package var count: Int
    /// The start of the first sample. Type, first start and first sequence number are the page's key.
    package var firstStart: Double
    /// The sequence number of the first sample, which need not be the minimum.
    package var firstSequence: Int64
    /// The start of the last sample, which is the maximum start.
    package var lastStart: Double
    /// The maximum end of a sample.
    package var maximumEnd: Double
    /// The minimum sequence number.
    package var minimumSequence: Int64
    /// The maximum sequence number. A page whose maximum is at or below an anchor contains no news.
    package var maximumSequence: Int64

    /// The sum of the values; NaN if a value is NaN.
    package var sum: Double
    /// The minimum value, ignoring NaN; NaN if there is no other value.
    package var minimum: Double
    /// The maximum value, ignoring NaN; NaN if there is no other value.
    package var maximum: Double
    /// The most recent sample, by end, then start, then sequence number.
    package var latest: Latest
    /// The number of seconds covered by samples, counting overlaps once.
    package var coveredDuration: Double
    /// The sum of the samples' durations in seconds.
    package var totalDuration: Double
    /// The sum of value times duration.
    package var weightedSum: Double

    /// The numbers of the units in the page, in ascending order; 0 means none.
    package var units: [UInt32]
    /// The numbers of the source revisions in the page, in ascending order; 0 means none.
    package var revisions: [UInt32]
    /// The numbers of the devices in the page, in ascending order; 0 means none.
    package var devices: [UInt32]
    /// Properties that at least one of the samples has.
    package var traits: Traits

    /// The length of the body in bytes.
    package var bodyLength: Int
    /// The XXH64 hash of the body.
    package var bodyChecksum: UInt64

    /// The dates, sequence number and value of a sample.
    package struct Latest: Hashable, Sendable {
        /// The sample's value.
        package var value: Double
        /// The sample's start.
        package var start: Double
        /// The sample's end.
        package var end: Double
        /// The sample's sequence number.
        package var sequence: Int64

        /// Creates the description of a sample.
        package init(value: Double, start: Double, end: Double, sequence: Int64) {
            self.value = value
            self.start = start
            self.end = end
            self.sequence = sequence
        }
    }

    /// A Boolean value that indicates whether a sample has metadata.
    package var hasMetadata: Bool { traits.contains(.metadata) }
    /// A Boolean value that indicates whether a sample was typed in by a person, according to its metadata.
    package var hasUserEntered: Bool { traits.contains(.userEntered) }
    /// A Boolean value that indicates whether a sample has a UUID given by an app.
    package var hasGivenUUIDs: Bool { traits.contains(.givenUUIDs) }
    /// A Boolean value that indicates whether a sample has a creation date.
    package var hasCreations: Bool { traits.contains(.creations) }
    /// A Boolean value that indicates whether a sample starts and ends at the same instant.
    package var hasZeroLength: Bool { traits.contains(.zeroLength) }
}

extension PageHeader {
    /// Creates the header of several pages that were added up: one without a body.
    package init(
        type: TypeCode, count: Int, firstStart: Double, firstSequence: Int64, lastStart: Double, maximumEnd: Double,
        minimumSequence: Int64, maximumSequence: Int64, sum: Double, minimum: Double, maximum: Double, latest: Latest,
        coveredDuration: Double, totalDuration: Double, weightedSum: Double, unit: UInt32, revisions: [UInt32],
        traits: Traits
    ) {
        self.init(
            type: type, count: count, firstStart: firstStart, firstSequence: firstSequence, lastStart: lastStart,
            maximumEnd: maximumEnd, minimumSequence: minimumSequence, maximumSequence: maximumSequence, sum: sum,
            minimum: minimum, maximum: maximum, latest: latest, coveredDuration: coveredDuration,
            totalDuration: totalDuration, weightedSum: weightedSum, units: [unit], revisions: revisions, devices: [],
            traits: traits, bodyLength: 0, bodyChecksum: 0)
    }

    /// Throws an error if fields contradict each other. Every decoded header is validated before it is used.
    package func validate() throws(PageError) {
        func check(_ holds: Bool, _ what: StaticString) throws(PageError) {
            guard holds else { throw PageError(.inconsistent, what.description, at: 0) }
        }
        guard formatVersion == Self.currentVersion else {
            throw PageError(.unsupportedVersion, "page header", at: 2)
        }
        try check((1...Self.maximumCount).contains(count), "count")
        try check(traits.isSubset(of: .known), "traits")
        try check(!traits.contains(.userEntered) || traits.contains(.metadata), "traits")
        // Comparisons with NaN are false, so these checks also reject NaN.
        try check(firstStart <= lastStart, "first and last start")
        try check(latest.end == maximumEnd, "latest and maximum end")
        try check(latest.start >= firstStart && latest.start <= lastStart, "latest start")
        try check(minimumSequence <= maximumSequence, "sequences")
        try check((minimumSequence...maximumSequence).contains(firstSequence), "first sequence")
        try check((minimumSequence...maximumSequence).contains(latest.sequence), "latest sequence")
        try check(minimum.isNaN == maximum.isNaN && !(minimum > maximum), "minimum and maximum")
        try check(!units.isEmpty && units.count <= count, "units")
        try check(!revisions.isEmpty && revisions.count <= count, "revisions")
        try check(!devices.isEmpty && devices.count <= count, "devices")
        try check(bodyLength >= PageBody.minimumLength, "body length")
    }
}

extension PageHeader {
    /// Properties that samples of a page may have. The raw values are part of the format.
    package struct Traits: OptionSet, Hashable, Sendable {
        /// The bits in the header.
        package let rawValue: UInt8

        /// Creates a set from the bits in a header.
        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// A sample starts before the end of an earlier one.
        package static let overlaps = Traits(rawValue: 1 << 0)
        /// A sample has metadata.
        package static let metadata = Traits(rawValue: 1 << 1)
        /// A sample was typed in by a person, according to its metadata.
        package static let userEntered = Traits(rawValue: 1 << 2)
        /// A sample has a UUID given by an app.
        package static let givenUUIDs = Traits(rawValue: 1 << 3)
        /// A sample has a creation date.
        package static let creations = Traits(rawValue: 1 << 4)
        /// A sample starts and ends at the same instant.
        package static let zeroLength = Traits(rawValue: 1 << 5)

        static let known = Traits(rawValue: 0x3F)
    }
}

extension PageHeader {
    /// The first two bytes of a header: "HP".
    static let magic: [UInt8] = [0x48, 0x50]
    /// The offset of the checksum of the bytes that follow it.
    static let checksumOffset = 4
    static let fixedLength = 8

    /// Encodes the header. See Docs/Format/Page-v1.md.
    package func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: 160)
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
        writer.number(maximumEnd)
        writer.signed(minimumSequence)
        writer.unsigned(UInt64(bitPattern: maximumSequence &- minimumSequence))
        writer.unsigned(UInt64(bitPattern: firstSequence &- minimumSequence))
        writer.number(sum)
        writer.number(minimum)
        writer.number(maximum)
        writer.number(latest.value)
        writer.number(latest.start)
        writer.unsigned(UInt64(bitPattern: latest.sequence &- minimumSequence))
        writer.number(coveredDuration)
        writer.number(totalDuration)
        writer.number(weightedSum)
        writer.ascending(units)
        writer.ascending(revisions)
        writer.ascending(devices)
        let checksum = writer.withBytes {
            Self.checksum(traits: traits, UnsafeRawBufferPointer(rebasing: $0[Self.fixedLength...]))
        }
        writer.replace32(checksum, at: Self.checksumOffset)
        return writer.bytes
    }

    /// Decodes and validates a header written by ``encode()``.
    package init(decoding bytes: [UInt8]) throws(PageError) {
        self = try ByteReader.lending(bytes) { raw throws(PageError) in try PageHeader(decoding: raw) }
    }

    /// Decodes and validates a header written by ``encode()``.
    package init(decoding bytes: UnsafeRawBufferPointer) throws(PageError) {
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
        count = try reader.count("count", atMost: Self.maximumCount)
        bodyLength = try reader.count("body length", atMost: Int(Int32.max))
        bodyChecksum = try reader.fixed64("body checksum")
        firstStart = try reader.number("first start")
        lastStart = try reader.number("last start")
        maximumEnd = try reader.number("maximum end")
        minimumSequence = try reader.signed("minimum sequence")
        maximumSequence = minimumSequence &+ Int64(bitPattern: try reader.unsigned("maximum sequence"))
        firstSequence = minimumSequence &+ Int64(bitPattern: try reader.unsigned("first sequence"))
        sum = try reader.number("sum")
        minimum = try reader.number("minimum")
        maximum = try reader.number("maximum")
        let latestValue = try reader.number("latest value")
        let latestStart = try reader.number("latest start")
        latest = Latest(
            value: latestValue, start: latestStart, end: maximumEnd,
            sequence: minimumSequence &+ Int64(bitPattern: try reader.unsigned("latest sequence")))
        coveredDuration = try reader.number("covered duration")
        totalDuration = try reader.number("total duration")
        weightedSum = try reader.number("weighted sum")
        units = try reader.ascending("units", atMost: count)
        revisions = try reader.ascending("revisions", atMost: count)
        devices = try reader.ascending("devices", atMost: count)
        try reader.finish("header length")
        try validate()
    }

    /// The low half of the XXH64 hash of the bytes after the fixed part, combined with the traits.
    private static func checksum(traits: Traits, _ rest: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(truncatingIfNeeded: Checksum.of(rest)) ^ UInt32(traits.rawValue) &* 0x9E37_79B1
    }
}

extension ByteWriter {
    /// Writes ascending numbers: the count, the first number, and the differences between numbers.
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
