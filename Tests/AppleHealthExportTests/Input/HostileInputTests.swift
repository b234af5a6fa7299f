@testable import AppleHealthExport
import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import HealthImport
import HealthTesting
import Testing

/// Input made or damaged to do harm. Each ends in bounded memory and time with one clear error or counted
/// skips, and leaves a store of complete batches in which the doctor finds no problem.
@Suite("Hostile and broken input") struct HostileInputTests {
    private let home: TemporaryFolder
    private static let steps = "HKQuantityTypeIdentifierStepCount"

    init() throws {
        home = try TemporaryFolder()
    }

    private func records(_ values: Range<Int>) -> [String] {
        values.map {
            ArchiveText.record(
                start: "2024-03-01 10:\(10 + $0 % 50):00 +0100", end: "2024-03-01 10:59:30 +0100", value: "\($0)")
        }
    }

    private func zip(_ text: String, as name: String = "export.zip") throws -> String {
        let path = home.path + "/" + name
        let writer = try ZipWriter(path: path)
        try writer.beginEntry("apple_health_export/export.xml")
        try writer.write(Array(text.utf8))
        try writer.finish()
        return path
    }

    private func failure(_ path: String, in store: ImportedStore) -> ImportError? {
        do {
            _ = try store.run(path, batchSize: 50)
            return nil
        } catch {
            if !(error is ImportError) { Issue.record("not an import's error: \(error)") }
            return error as? ImportError
        }
    }

    // MARK: Cut anywhere

    @Test("An XML file cut anywhere leaves whole batches and says where it ends", arguments: ["9", "12", "26"])
    func xmlCutAnywhere(version: String) throws {
        let whole = try DialectImportTests.excerpt(of: DialectArchive.of(version).text())
        let complete = try ImportedStore()
        try complete.run(home.write(whole, as: "whole.xml"))
        let head = whole.firstRange(of: Array("<HealthData".utf8))!.lowerBound
        var random = SplitMix64(seed: 700)
        for _ in 0..<25 {
            let cut = Int.random(in: 0..<(whole.count - 2), using: &random)
            let store = try ImportedStore()
            let error = try #require(
                failure(try home.write(Array(whole[..<cut]), as: "cut.xml"), in: store), "cut at \(cut)")
            #expect(error.kind == .truncated || cut < head + 20 && error.kind == .notAnExport, "cut at \(cut)")
            #expect(error.description.contains("cut.xml") && !error.description.contains("\n"))
            try store.expectWhole()
            // What is there came in whole, and the whole archive completes it.
            try store.run(home.path + "/whole.xml")
            #expect(try counts(store) == counts(complete), "cut at \(cut)")
        }
    }

    private func counts(_ store: ImportedStore) throws -> [String: Int] {
        try store.engine.typeOverview(
            as: .init(
                revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "test", name: "test")),
                permission: .owner)
        )
        .reduce(into: [:]) { $0[$1.type.identifier] = $1.count }
    }

    @Test("A zip file cut or damaged anywhere is one clear error or is imported completely")
    func zipDamagedAnywhere() throws {
        let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: zip(ArchiveText.file(records(0..<400))))))
        var random = SplitMix64(seed: 701)
        var damaged = 0
        for round in 0..<90 {
            let bytes =
                round < 40
                ? Array(whole[..<Int.random(in: 0..<whole.count, using: &random)])
                : Mutation.apply(to: whole, from: 0, count: Int.random(in: 1...4, using: &random), using: &random)
            let store = try ImportedStore()
            if let error = failure(try home.write(bytes, as: "damaged.zip"), in: store) {
                damaged += 1
                #expect(
                    [.damagedZip, .notAnExport, .noExportInside, .truncated, .zipBomb, .unreadable].contains(error.kind)
                )
                #expect(error.description.contains("damaged.zip"), "\(error)")
            } else {
                #expect(try store.samples(Self.steps).count == 400, "round \(round)")
            }
            try store.expectWhole()
        }
        #expect(damaged > 60, "seed 701")
    }

    // MARK: Encodings and characters

    @Test("UTF-16 and UTF-32 are reported with a remedy")
    func wideText() throws {
        let text = ArchiveText.file(records(0..<3))
        let little = Array(text.utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let big = Array(text.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let wide = Array(text.unicodeScalars).flatMap {
            [0, UInt8($0.value >> 16), UInt8($0.value >> 8 & 255), UInt8($0.value & 255)] as [UInt8]
        }
        for bytes in [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little, big, [0, 0, 0xFE, 0xFF] + wide, wide] {
            let path = try home.write(bytes, as: "wide.xml")
            let error = failure(path, in: try ImportedStore())
            #expect(error?.kind == .notAnExport)
            #expect(
                error?.description
                    == "“\(path)” is in UTF-16 or UTF-32, but an Apple Health export is in UTF-8. Convert it with iconv -t UTF-8."
            )
        }
    }

    @Test("A UTF-8 byte order mark is ignored")
    func byteOrderMark() throws {
        let store = try ImportedStore()
        let report = try store.run(
            home.write([0xEF, 0xBB, 0xBF] + Array(ArchiveText.file(records(0..<3)).utf8), as: "mark.xml"))
        #expect(report.added == [Self.steps: 3] && report.irregularities == [:])
    }

    @Test("Bytes that are not UTF-8 are replaced and counted")
    func notUTF8() throws {
        var bytes = Array(
            ArchiveText.file([
                ArchiveText.record(source: "Jo@ Z@@", value: "1"), ArchiveText.record(source: "Zo@", value: "2"),
            ]).utf8)
        // As Latin-1 has them: é, and é before ü.
        for index in bytes.indices where bytes[index] == UInt8(ascii: "@") { bytes[index] = 0xE9 }
        let store = try ImportedStore()
        let report = try store.run(home.write(bytes, as: "latin.xml"))
        #expect(report.added == [Self.steps: 2] && report.skipped == [:])
        #expect(report.irregularities == ["bytes that are not UTF-8, replaced by U+FFFD": 4])
        #expect(
            Set(try store.samples(Self.steps).map { $0.revision?.source.name }) == [
                "Jo\u{FFFD} Z\u{FFFD}\u{FFFD}", "Zo\u{FFFD}",
            ])
        try store.expectWhole()
    }

    @Test("Every control character is kept and counted, even the zero")
    func controlCharacters() throws {
        let controls = (0..<32).filter { ![9, 10, 13].contains($0) }.map { Character(Unicode.Scalar(UInt8($0))) }
        let elements = controls.enumerated().map { index, control in
            ArchiveText.record(value: "\(index)", children: [ArchiveText.entry("Note", "a\(control)b")])
        }
        let store = try ImportedStore()
        let report = try store.run(home.write(ArchiveText.file(elements), as: "controls.xml"))
        #expect(report.added == [Self.steps: 29] && report.skipped == [:])
        #expect(report.irregularities == ["control characters that XML does not allow, preserved": 29])
        #expect(
            Set(try store.samples(Self.steps).compactMap { $0.metadata["Note"] })
                == Set(controls.map { .string("a\($0)b") }))
    }

    // MARK: Entities

    @Test("Entities are never expanded, neither recursive nor external ones")
    func entities() throws {
        var declarations =
            "<!ENTITY lol \"lol\">\n<!ENTITY secret SYSTEM \"file:///etc/hostname\">\n<!ENTITY % more SYSTEM \"http://localhost:9/x.dtd\">\n%more;\n"
        for level in 1...9 {
            declarations +=
                "<!ENTITY lol\(level) \"\(String(repeating: "&lol\(level == 1 ? "" : "\(level - 1)");", count: 10))\">\n"
        }
        let file = ArchiveText.file(
            [ArchiveText.record(source: "&lol9;", children: [ArchiveText.entry("Note", "&secret;")])], dtd: declarations
        )
        let store = try ImportedStore()
        let report = try store.run(home.write(file, as: "lol.xml"))
        #expect(report.added == [Self.steps: 1])
        #expect(report.irregularities == ["entity declarations, not expanded": 12])
        let sample = try #require(try store.samples(Self.steps).first)
        #expect(sample.revision?.source.name == "&lol9;" && sample.metadata["Note"] == .string("&secret;"))
    }

    // MARK: Nesting and damage

    @Test(
        "A million levels are a counted skip and cost no stack",
        arguments: ["a", "Record", "Workout", "Correlation", "MetadataEntry"])
    func nesting(name: String) throws {
        let levels = name == "a" ? 1_000_000 : 50_000
        let source = PatternSource(
            head: ArchiveText.file([]).replacingOccurrences(of: "</HealthData>\n", with: ""),
            pattern: "<\(name) type=\"x\">", count: levels,
            tail: ArchiveText.record() + "\n</HealthData>\n")
        let sink = CollectingSink()
        var parser = ArchiveParser(source: source, options: .init(), sink: sink)
        try parser.run()
        #expect(parser.findings.skipped.values.reduce(0, +) >= 1)
        #expect(parser.findings.skips.count <= 100)
        // Nothing that is well ends up beside the damage, or is lost behind it, but what closes no level.
        #expect(sink.samples.count <= 1 && parser.header.exportDate != nil)
    }

    @Test("Garbage between elements costs what it touches and no more", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func garbage(seed: UInt64) throws {
        var random = SplitMix64(seed: 720 + seed)
        // Not what begins a comment or an instruction: those continue until they end.
        let alphabet: [UInt8] = Array("<>&\"'=/[]-x0 ".utf8) + [0, 11, 0x80, 0xC3, 0xFF]
        var bytes = Array(ArchiveText.file([]).replacingOccurrences(of: "</HealthData>\n", with: "").utf8)
        for record in records(0..<200) {
            bytes += Array((record + "\n").utf8)
            if Int.random(in: 0..<5, using: &random) == 0 {
                bytes +=
                    (0..<Int.random(in: 1...40, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
                    + [10]
            }
        }
        bytes += Array("</HealthData>\n".utf8)
        let store = try ImportedStore()
        let report = try store.run(home.write(bytes, as: "garbage.xml"))
        let samples = try store.samples(Self.steps)
        #expect(samples.count == report.added[Self.steps] && samples.count > 100, "seed \(720 + seed)")
        #expect(samples.allSatisfy { (0..<200).contains($0.value) })
        try store.expectWhole()
    }

    // MARK: Sizes

    /// How little memory that takes is tested by the command's tests, where a process can be held to it.
    @Test("An attribute of 128 MB is skipped or refused, and what went before is kept")
    func hugeAttribute() throws {
        let source = PatternSource(
            head: ArchiveText.file(records(0..<100)).replacingOccurrences(
                of: "</HealthData>\n", with: "<Record type=\""), pattern: String(repeating: "x", count: 1 << 16),
            count: 1 << 11, tail: "\"/>\n" + ArchiveText.record() + "\n</HealthData>\n")
        let sink = CollectingSink()
        var parser = ArchiveParser(source: source, options: .init(batchSize: 50), sink: sink)
        do {
            try parser.run()
            #expect(parser.findings.skipped.values.reduce(0, +) == 1 && sink.samples.count == 101)
        } catch {
            #expect((error as? ImportError)?.kind == .unreadable && sink.samples.count >= 50)
        }
    }

    @Test("A zip bomb is stopped early and is imported on request")
    func zipBomb() throws {
        // Blanks between two records: an entry that packs to a thousandth.
        let path = home.path + "/bomb.zip"
        let writer = try ZipWriter(path: path, options: .init(level: 9))
        try writer.beginEntry("apple_health_export/export.xml")
        try writer.write(
            Array(ArchiveText.file(records(0..<60)).replacingOccurrences(of: "</HealthData>\n", with: "").utf8))
        let blanks = [UInt8](repeating: 0x20, count: 1 << 20)
        for _ in 0..<96 { try writer.write(blanks) }
        try writer.write(Array("</HealthData>\n".utf8))
        try writer.finish()
        let store = try ImportedStore()
        let error = try #require(failure(path, in: store))
        #expect(error.kind == .zipBomb)
        #expect(
            error.description
                == "“\(path): apple_health_export/export.xml” unpacks to more than 250 times its compressed size, which no Apple Health export does. To import it anyway, use --trust-size (ImportOptions.trustsSize)."
        )
        try store.expectWhole()
        var options = ImportOptions()
        options.trustsSize = true
        let report = try ArchiveImporter(engine: store.engine, options: options).run(path: path)
        #expect(report.skipped == [:])
        #expect(try store.samples(Self.steps).count == 60)
    }

    @Test("An entry larger than its size in the directory is damage")
    func lyingSize() throws {
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: zip(ArchiveText.file(records(0..<500))))))
        let directory = bytes.firstRange(of: [0x50, 0x4B, 1, 2])!.lowerBound
        bytes.replaceSubrange((directory + 24)..<(directory + 28), with: [0, 16, 0, 0])
        let store = try ImportedStore()
        let error = try #require(failure(try home.write(bytes, as: "lying.zip"), in: store))
        #expect(
            error.kind == .damagedZip && error.description.hasSuffix("has more bytes than stated in the directory."))
        try store.expectWhole()
    }

    // MARK: Paths

    @Test(
        "Paths that lead out of the archive are not followed",
        arguments: [
            "/../../secret.gpx", "../secret.gpx", "/workout-routes/../../../secret.gpx", "/etc/hostname",
            "..\\..\\secret.gpx", "/workout-routes/link.gpx",
        ])
    func pathsOutside(reference: String) throws {
        try home.write(
            "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>2024-03-01T09:00:00Z</time></trkpt></trkseg></trk></gpx>",
            as: "secret.gpx")
        let workout =
            "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"30\" sourceName=\"w\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\">\n<WorkoutRoute sourceName=\"w\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\"><FileReference path=\"\(reference)\"/></WorkoutRoute></Workout>"
        try home.write(ArchiveText.file([workout]), as: "x/apple_health_export/export.xml")
        try FileManager.default.createDirectory(
            atPath: home.path + "/x/apple_health_export/workout-routes", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: home.path + "/x/apple_health_export/workout-routes/link.gpx",
            withDestinationPath: home.path + "/secret.gpx")
        let store = try ImportedStore()
        let report = try store.run(home.path + "/x")
        #expect(report.added["HKWorkoutTypeIdentifier"] == 1)
        let routes = try store.objects("HKWorkoutRouteTypeIdentifier")
        #expect(
            routes.allSatisfy {
                if case .document(let body) = $0.body { body.series.values.allSatisfy(\.isEmpty) } else { true }
            })
        #expect(report.skippedCount + report.irregularities.values.reduce(0, +) >= 1)
        try store.expectWhole()
    }
}
