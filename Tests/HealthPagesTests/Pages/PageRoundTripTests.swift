import Foundation
import HealthModel
import Testing

@testable import HealthPages

@Suite struct PageRoundTripTests {
    static let characters = ["heart rate", "steps", "energy"]

    static func realistic(_ character: String, _ count: Int) -> SampleColumns {
        switch character {
        case "heart rate": RealisticColumns.heartRate(count)
        case "steps": RealisticColumns.steps(count)
        default: RealisticColumns.energy(count)
        }
    }

    /// Decodes header and body from their bytes, which are surrounded by other bytes in memory.
    static func read(
        _ page: EncodedPage, _ columns: SampleColumnSet = .all
    ) throws -> SampleColumns {
        let neighbours = Array(repeating: UInt8(0xFF), count: 3)
        let header = try ByteReader.lending(neighbours + page.headerBytes + neighbours) { raw throws(PageError) in
            try PageHeader(decoding: UnsafeRawBufferPointer(rebasing: raw[3..<raw.count - 3]))
        }
        return try ByteReader.lending(neighbours + page.body + neighbours) { raw throws(PageError) in
            try PageReader(header: header, body: UnsafeRawBufferPointer(rebasing: raw[3..<raw.count - 3]))
                .read(columns)
        }
    }

    @Test(arguments: characters, [1, 2, 7, 8, 9, 63, 64, 65, 300])
    func realisticPagesRoundTrip(_ character: String, _ count: Int) throws {
        let columns = Self.realistic(character, count + 20)
        for rows in [0..<count, 3..<count + 3, 20..<count + 20] {
            let page = try PageWriter.write(columns, rows: rows)
            #expect(Identical.difference(columns, rows: rows, try Self.read(page)) == nil)
        }
    }

    @Test(arguments: [
        ("heart rate", 2.8), ("steps", 5.8), ("energy", 5.2),
    ])
    func bytesPerSample(_ character: String, _ atMost: Double) throws {
        let columns = Self.realistic(character, 1000)
        let page = try PageWriter.write(columns, rows: 0..<1000)
        #expect(Double(page.headerBytes.count + page.body.count) / 1000 <= atMost)
        #expect(page.headerBytes.count <= 100)
    }

    @Test func columnsThatWereNotRequestedAreEmpty() throws {
        let columns = RealisticColumns.steps(50)
        let page = try PageWriter.write(columns, rows: 0..<50)
        for bit in 0..<10 {
            let set = SampleColumnSet(rawValue: 1 << UInt16(bit))
            let read = try Self.read(page, set)
            let lengths = [
                read.starts.count, read.ends.count, read.values.count, read.units.count, read.revisions.count,
                read.devices.count, read.metadata.count, read.sequences.count, read.uuids.count,
                read.creations.count,
            ]
            for (column, length) in lengths.enumerated() {
                // No sample has a UUID, so the column is empty even if requested.
                #expect(length == (column == bit && set != .uuids ? 50 : 0))
            }
        }
        #expect(try Self.read(page, []).count == 0)
    }

    /// Appended page by page, a column must not be copied for each page.
    @Test func columnsOfManyPagesGrowGeometrically() throws {
        var columns = RealisticColumns.heartRate(100)
        columns.uuids = OptionalColumn((0..<100).map { _ in UUID() })
        #expect(columns.metadata.numbers.contains { $0 > 0 })
        let page = try PageWriter.write(columns, rows: 0..<100)
        var target = SampleColumns(type: columns.type)
        var capacities: [Set<Int>] = [[], [], []]
        try page.body.withUnsafeBytes { body in
            let reader = try PageReader(header: page.header, body: body)
            for _ in 0..<200 {
                try reader.append(.all, to: &target)
                capacities[0].insert(target.metadata.numbers.capacity)
                capacities[1].insert(target.uuids.entries.capacity)
                capacities[2].insert(target.starts.capacity)
            }
        }
        #expect(target.metadata.count == 20_000 && target.uuids.count == 20_000)
        #expect(capacities.allSatisfy { $0.count < 20 })
    }

    @Test func constantColumnsTakeNoBytes() throws {
        var columns = RealisticColumns.energy(1000)
        columns.revisions = Array(repeating: 2, count: 1000)
        let page = try PageWriter.write(columns, rows: 0..<1000)
        let empty: [PageBody.Column] = [.units, .revisions, .devices, .metadata, .uuids]
        try ByteReader.lending(page.body) { raw throws(PageError) in
            let reader = try PageReader(header: page.header, body: raw)
            for column in PageBody.Column.allCases {
                #expect(reader.isAbsent(column) == empty.contains(column))
            }
        }
    }

    @Test func onlyTheCallersMemoryIsFilled() throws {
        let columns = RealisticColumns.steps(100)
        let page = try PageWriter.write(columns, rows: 10..<90)
        let doubles = UnsafeMutablePointer<Double>.allocate(capacity: 4 * 81)
        let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 3 * 81)
        let sequences = UnsafeMutablePointer<Int64>.allocate(capacity: 81)
        defer {
            doubles.deallocate()
            words.deallocate()
            sequences.deallocate()
        }
        doubles.initialize(repeating: -7, count: 4 * 81)
        words.initialize(repeating: 77, count: 3 * 81)
        sequences.initialize(repeating: -7, count: 81)
        try ByteReader.lending(page.body) { raw throws(PageError) in
            try PageReader(header: page.header, body: raw).decode(
                starts: doubles, ends: doubles + 81, values: doubles + 162, units: words,
                revisions: words + 81, devices: words + 162, sequences: sequences, creations: doubles + 243)
        }
        for (part, column) in [columns.starts, columns.ends, columns.values, columns.creations.entries].enumerated() {
            let expected: [Double] = column[10..<90] + [-7]
            #expect(Array(UnsafeBufferPointer(start: doubles + part * 81, count: 81)) == expected)
        }
        for (part, column) in [columns.units, columns.revisions, columns.devices].enumerated() {
            let expected: [UInt32] = column[10..<90] + [77]
            #expect(Array(UnsafeBufferPointer(start: words + part * 81, count: 81)) == expected)
        }
        let expected: [Int64] = columns.sequences[10..<90] + [-7]
        #expect(Array(UnsafeBufferPointer(start: sequences, count: 81)) == expected)
    }

    @Test func userEnteredDependsOnTheRowsWritten() throws {
        var columns = RealisticColumns.energy(6)
        columns.metadata.table = [
            Metadata([.init(key: MetadataKey.wasUserEntered, value: .bool(true))]),
            Metadata([.init(key: MetadataKey.wasUserEntered, value: .bool(false))]),
        ]
        columns.metadata.numbers = [0, 1, 2, 2, 0, 0]
        let expected: [(rows: Range<Int>, metadata: Bool, userEntered: Bool)] = [
            (0..<6, true, true), (2..<6, true, false), (4..<6, false, false),
        ]
        for (rows, metadata, userEntered) in expected {
            let header = try PageWriter.write(columns, rows: rows).header
            #expect(header.hasMetadata == metadata)
            #expect(header.hasUserEntered == userEntered)
        }
    }
}
