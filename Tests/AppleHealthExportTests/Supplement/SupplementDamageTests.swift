import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import HealthPages
import HealthImport
import HealthStorage
import Testing

@testable import AppleHealthExport
@testable import HealthTesting

/// Truncated, damaged and forged supplements: invalid lines are counted and left out, and the rest is imported.
@Suite struct SupplementDamageTests {
    private let folder: TemporaryFolder
    private let name = "/out/apple_health_export/supplement.ndjson"

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Exports at least one object of every class and returns the supplement's bytes.
    private func exported() async throws -> [UInt8] {
        let health = TestHealthStore()
        try await EveryClass.fill(health)
        // A folder whose files were damaged isn't replaced.
        try? FileManager.default.removeItem(atPath: folder.path + "/out")
        _ = try ArchiveExporter(
            engine: health.engine,
            options: ExportOptions(exportDate: TestClock.start, timeZone: .gmt, replacesTarget: true)
        )
        .run(to: .folder(path: folder.path + "/out"))
        return try supplement()
    }

    private func supplement() throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path + name)))
    }

    /// Imports the archive with this supplement and returns the report's irregularities about it, and the engine.
    private func taking(_ bytes: [UInt8]) throws -> (irregularities: [String: Int], engine: HealthEngine) {
        try folder.write(bytes, as: String(name.dropFirst()))
        return try imported(folder.path + "/out")
    }

    /// Imports the archive at a path into a new store and returns the report's irregularities about the supplement.
    private func imported(_ path: String) throws -> (irregularities: [String: Int], engine: HealthEngine) {
        let engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        let report = try ArchiveImporter(engine: engine, archive: .init(skipsKnownArchives: false)).run(path: path)
        #expect(try engine.check().isEmpty)
        return (report.irregularities.filter { $0.key.contains("supplement") }, engine)
    }

    @Test("Records and elements of one name are distinguished; a line that is about neither is left out")
    func oneName() throws {
        let main = ArchiveText.file([
            "<Record type=\"HKFoo\" sourceName=\"s\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 10:00:00 +0100\"/>",
            "<Record type=\"HKFoo\" sourceName=\"s\" unit=\"count\" value=\"1\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 10:00:00 +0100\"/>",
            "<Record type=\"HKFoo#quantity\" sourceName=\"s\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 10:00:00 +0100\"/>",
        ])
        var columns = SampleColumns(type: TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")!.code)
        let start = ArchiveText.instant(2024, 3, 1, 9)
        (columns.starts, columns.ends, columns.values) = ([start, start], [start, start], [1, 1])
        (columns.units, columns.revisions, columns.devices, columns.sequences) = ([1, 1], [1, 1], [0, 0], [0, 1])
        columns.metadata.fill(to: 2)
        let lines: [SupplementLine] =
            try [
                .supplement(version: SupplementLine.version, mainBytes: main.utf8.count),
                .source(
                    number: 1, revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "s", name: "s"))),
                .unit(number: 1, unit: "count"),
            ]
            + ["HKFoo", "HKFoo#quantity", "HKFoo#quantity#document"].flatMap { type -> [SupplementLine] in
                try [
                    .records(place: 0, page: SupplementPage(columns, rows: 0..<2, type: type)),
                    .object(
                        type: type, place: 1, uuid: nil, start: start, end: start, source: 1, device: nil,
                        payload: Data(
                            ObjectCoder.encode(metadata: .empty, creation: nil, body: .document(DocumentBody()))),
                        members: []),
                ]
            }
        try folder.write(main, as: "one/apple_health_export/export.xml")
        try folder.write(
            lines.flatMap { try SupplementText.encode($0) }, as: "one/apple_health_export/supplement.ndjson")
        let (irregularities, engine) = try imported(folder.path + "/one")
        #expect(irregularities["line of the supplement that does not match the main file, left out"] == 6)
        #expect(try StoreImage(engine).samples.count == 1 && StoreImage(engine).objects.count == 2)
    }

    @Test(
        "A supplement that exists but cannot be opened is reported, in a folder and in a zip file; a missing one is not"
    )
    func unreadable() async throws {
        let whole = try await exported()
        let note = ["supplement that cannot be read, left out": 1]
        // A folder in its place, as permissions do not stop a superuser.
        try FileManager.default.removeItem(atPath: folder.path + name)
        #expect(try imported(folder.path + "/out").irregularities == [:])
        try FileManager.default.createDirectory(atPath: folder.path + name, withIntermediateDirectories: false)
        #expect(try imported(folder.path + "/out").irregularities == note)
        try FileManager.default.removeItem(atPath: folder.path + name)

        let main = try [UInt8](
            Data(contentsOf: URL(fileURLWithPath: folder.path + "/out/apple_health_export/export.xml")))
        let zip = try ZipWriter(path: folder.path + "/out.zip", options: .init(level: nil))
        try zip.beginEntry("apple_health_export/export.xml")
        try zip.write(main)
        let place = zip.offset
        try zip.beginEntry("apple_health_export/supplement.ndjson")
        try zip.write(whole)
        try zip.finish()
        #expect(
            try imported(folder.path + "/out.zip").irregularities["supplement that cannot be read, left out"] == nil)
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path + "/out.zip")))
        // The signature of the entry's local header; a data descriptor may come before it.
        let header = try #require((place...place + 24).first { Array(bytes[$0..<$0 + 4]) == [0x50, 0x4B, 3, 4] })
        bytes[header] = 0
        try folder.write(bytes, as: "damaged.zip")
        #expect(try imported(folder.path + "/damaged.zip").irregularities == note)
    }

    @Test("Mirroring an archive with a damaged or unreadable supplement removes nothing")
    func mirroring() async throws {
        let whole = try await exported()
        let engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        let importer = ArchiveImporter(engine: engine, archive: .init(mirrors: true, skipsKnownArchives: false))
        #expect(try importer.run(path: folder.path + "/out").addedCount > 0)
        let before = try StoreImage(engine)

        var damaged = lines(whole).map(Array.init)
        for index in damaged.indices.dropFirst() { damaged[index][20] ^= 1 }
        try folder.write(joined(damaged.map { $0[...] }), as: String(name.dropFirst()))
        let note = "nothing removed, because parts of the archive are damaged"
        var report = try importer.run(path: folder.path + "/out")
        #expect(report.removedCount == 0 && report.irregularities[note] == 1)

        try FileManager.default.removeItem(atPath: folder.path + name)
        try FileManager.default.createDirectory(atPath: folder.path + name, withIntermediateDirectories: false)
        report = try importer.run(path: folder.path + "/out")
        #expect(report.removedCount == 0 && report.irregularities[note] == 1)
        #expect(try Set(StoreImage(engine).objects.keys).isSuperset(of: before.objects.keys))
    }

    private func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"))
    }

    private func joined(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
        Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
    }

    @Test func aChangedByteDamagesOneLine() async throws {
        let whole = try await exported()
        #expect(try taking(whole).irregularities == [:])
        var random = SplitMix64(seed: 17)
        let lines = lines(whole)
        for rest in 0..<8 {
            var damaged = lines.map(Array.init)
            let hit = lines.indices.filter { $0 % 8 == rest }
            for index in hit {
                let place = Int.random(in: 0..<damaged[index].count, using: &random)
                damaged[index][place] ^= 1 << UInt8.random(in: 0..<7, using: &random)
            }
            let irregularities = try taking(joined(damaged.map { $0[...] })).irregularities
            // A changed bit can be a line break, which makes two lines.
            let count = irregularities["damaged line of the supplement, left out"] ?? 0
            #expect((hit.count...hit.count + 2).contains(count), "lines \(hit): \(irregularities)")
        }
    }

    @Test func aTruncatedSupplementIsReported() async throws {
        let whole = try await exported()
        var random = SplitMix64(seed: 3)
        let full = try StoreImage(taking(whole).engine)
        for length in [0, 1, 40, whole.count - 1]
            + (0..<6).map({ _ in Int.random(in: 2..<whole.count - 2, using: &random) })
        {
            let (irregularities, engine) = try taking(Array(whole[..<length]))
            // Only the last line break is missing: nothing is lost.
            #expect(
                (irregularities["missing end of the supplement, left out"] == nil) == (length == whole.count - 1),
                "\(length)")
            let count = try StoreImage(engine).samples.values.reduce(0, +)
            #expect(count == full.samples.values.reduce(0, +))
        }
    }

    @Test func aSupplementOfAnotherMainFileCompletesNothing() async throws {
        let whole = try await exported()
        let path = folder.path + "/out/apple_health_export/export.xml"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try folder.write(text + "\n", as: "out/apple_health_export/export.xml")
        let (irregularities, engine) = try taking(whole)
        let placed = lines(whole).compactMap { SupplementText.decode($0) }.filter {
            switch $0 {
            case .records, .object(_, .some, _, _, _, _, _, _, _): true
            default: false
            }
        }
        #expect(irregularities["line of the supplement that does not match the main file, left out"] == placed.count)
        // Content that the main file lacks is imported.
        #expect(
            try StoreImage(engine).objects.keys.contains {
                $0.type == "HKDataTypeStateOfMind" || $0.type.contains("StateOfMind")
            })
    }

    @Test func anotherVersionIsLeftOut() async throws {
        var lines = lines(try await exported()).map(Array.init)
        lines[0] = Array(try SupplementText.encode(.supplement(version: 2, mainBytes: 1)).dropLast())
        let (irregularities, _) = try taking(joined(lines.map { $0[...] }))
        #expect(irregularities == ["supplement in an unsupported version, left out": 1])
    }

    /// Invalid variants of a line, with valid checksums.
    private func invalidVariants(of line: SupplementLine) throws -> [SupplementLine] {
        switch line {
        case .records(let place, let page):
            var (header, body, type) = (page, page, page)
            header.header = Data([1, 2, 3])
            body.body.append(0)
            type.type = "HKNothing"
            return [
                .records(place: -1, page: page), .records(place: place + 1, page: page),
                .records(place: .max, page: page),
                .records(place: place, page: header), .records(place: place, page: body),
                .records(place: place, page: type),
            ]
        case .object(
            let type, let place, let uuid, let start, let end, let source, let device, let payload, let members):
            func object(
                type: String = type, place: Int? = place, start: Double = start, end: Double = end,
                source: UInt32? = source,
                device: UInt32? = device, payload: Data = payload, members: [SupplementPage] = members
            ) -> SupplementLine {
                .object(
                    type: type, place: place, uuid: uuid, start: start, end: end, source: source, device: device,
                    payload: payload, members: members)
            }
            let workout = Data(
                ObjectCoder.encode(
                    metadata: .empty, creation: nil, body: .workout(WorkoutBody(activityType: 1, duration: 1))))
            let document = Data(ObjectCoder.encode(metadata: .empty, creation: nil, body: .document(DocumentBody())))
            return [
                object(type: "HKNothing"), object(type: "HKQuantityTypeIdentifierStepCount"),
                object(type: "HKCharacteristicTypeIdentifierBloodType"), object(start: end + 1e9, end: end),
                object(source: 9_999),
                object(device: 9_999), object(payload: Data()), object(payload: payload.dropLast()),
                object(payload: type == "HKWorkoutTypeIdentifier" ? document : workout),
                object(members: [
                    try JSONDecoder().decode(
                        SupplementPage.self, from: Data(#"{"type":"x","header":"","body":""}"#.utf8))
                ]),
            ] + (place == nil ? [object(place: 0)] : [object(place: -1), object(place: .max)])
        case .members(let owner, let uuids):
            return [.members(of: owner, uuids: uuids.dropLast()), .members(of: UUID(), uuids: uuids)]
        case .quantities(let sample, let payload):
            let backwards = QuantitySeries(starts: [2, 1], ends: [2, 1], values: [1, 1])
            let body = ObjectCoder.encode(metadata: .empty, creation: nil, body: backwards.body)
            return [
                .quantities(of: UUID(), payload: payload), .quantities(of: sample, payload: Data()),
                .quantities(of: sample, payload: Data(body)),
            ]
        case .attachment(let owner, let identifier, let name, let type, let size, let payload):
            return [
                .attachment(
                    of: UUID(), identifier: identifier, name: name, contentType: type, size: size, payload: payload),
                .attachment(
                    of: owner, identifier: identifier, name: name, contentType: type, size: -1, payload: payload),
                .attachment(
                    of: owner, identifier: identifier, name: name, contentType: type, size: .max, payload: payload),
                .attachment(
                    of: owner, identifier: identifier, name: name, contentType: type, size: size + 1, payload: payload),
                .attachment(
                    of: owner, identifier: identifier, name: name, contentType: type, size: size, payload: Data()),
            ]
        case .piece(let bytes): return [.piece(bytes: bytes + [1]), .piece(bytes: bytes.dropLast())]
        default: return []
        }
    }

    @Test func anInvalidLineIsCounted() async throws {
        let lines = lines(try await exported()).map(Array.init)
        let all = try lines.map { line in try SupplementText.decode(line[...]).map(invalidVariants) ?? [] }
        var count = 0
        // Each variant in turn, for all lines that have it.
        for way in 0..<(all.map(\.count).max() ?? 0) {
            var changed = lines
            let hit = all.indices.filter { all[$0].count > way }
            for index in hit { changed[index] = Array(try SupplementText.encode(all[index][way]).dropLast()) }
            let irregularities = try taking(joined(changed.map { $0[...] })).irregularities
            // A file is counted once, regardless of how many of its lines are invalid.
            let others = hit.filter { if case .piece? = SupplementText.decode(lines[$0][...]) { false } else { true } }
            #expect(irregularities.values.reduce(0, +) >= others.count, "way \(way): \(irregularities)")
            count += hit.count
        }
        #expect(count > 200)
    }

    @Test(arguments: 0..<40)
    func anyBytesAreAccepted(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let bytes = (0..<Int.random(in: 0...4_000, using: &random)).map { _ -> UInt8 in
            Bool.random(using: &random)
                ? UInt8.random(in: 0...255, using: &random) : Array("{}\":,\n[]0".utf8).randomElement(using: &random)!
        }
        let reader = SupplementReader(source: MemorySource(bytes))
        while let outcome = reader.next() {
            guard case .damaged = outcome else {
                Issue.record("noise was read as a line")
                return
            }
        }
    }

    @Test func anEndlessLineIsSkippedInBoundedMemory() throws {
        let header = try SupplementText.encode(.supplement(version: 1, mainBytes: 5))
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: SupplementText.maximumLineLength * 2 + 3)
        let reader = SupplementReader(source: MemorySource(header + long + [UInt8(ascii: "\n")] + header + long))
        var outcomes: [Bool] = []
        while let outcome = reader.next() {
            if case .line = outcome { outcomes.append(true) } else { outcomes.append(false) }
        }
        #expect(outcomes == [true, false, true, false])
    }
}
