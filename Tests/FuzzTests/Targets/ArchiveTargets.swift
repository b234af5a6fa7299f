import Foundation
import HealthEngine
@testable import HealthFiles
import HealthImport
import HealthModel
import HealthStorage

@testable import AppleHealthExport

/// The files of an Apple Health archive.
enum ArchiveTargets {
    static let all = [
        FuzzTarget(name: "xml", examples: { ArchiveExamples.main }, words: ArchiveExamples.words) { try parse($0) },
        FuzzTarget(name: "import", examples: { ArchiveExamples.main }, words: ArchiveExamples.words, mutations: 60) {
            try importing($0)
        },
        FuzzTarget(
            name: "zip", examples: ArchiveExamples.zips, words: ["PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}"]
        ) { try zip($0) },
        FuzzTarget(name: "gpx", examples: { [Array(ArchiveExamples.route.utf8)] }, words: ArchiveExamples.words) {
            try route($0)
        },
        FuzzTarget(
            name: "ecg", examples: { ArchiveExamples.electrocardiograms },
            words: ["µV", "mV", "hertz", "Hz", "\r\n", "-", ",", "−"]
        ) {
            try electrocardiogram($0)
        },
        FuzzTarget(
            name: "supplement", examples: ArchiveExamples.supplements,
            words: ["\"type\":", "\"place\":", "\"uuid\":", "\n"], mutations: 150
        ) {
            try supplement($0)
        },
        FuzzTarget(name: "clinical", examples: { ArchiveExamples.resources }, words: ArchiveExamples.clinicalWords) {
            try clinical($0)
        },
    ]

    // MARK: The main file

    /// The contents that the two paths of the parser read from one file.
    private final class Reading: ArchiveSink {
        var objects: [ObjectRecord] = []
        var samples: [TypeCode: [Double]] = [:]
        var skips: [ImportReport.Skip] = []
        var irregularities: [String: Int] = [:]
        var records = 0
        var error: ImportError?

        func readHeader(_ header: ArchiveHeader) {}

        func append(_ batch: BulkBatch) {
            objects += batch.objects + batch.parts.map(\.object)
            for columns in batch.columns {
                samples[columns.type, default: []] += columns.values
            }
        }

        func advance(bytes: Int, records: Int) {}

        static func of(_ bytes: [UInt8], chunkSize: Int, usesTemplates: Bool) throws -> Reading {
            let reading = Reading()
            let options = ArchiveParser.Options(
                batchSize: 100_000, chunkSize: chunkSize, maximumReasons: 1_000, usesTemplates: usesTemplates)
            var parser = ArchiveParser(source: FuzzSource(bytes), options: options, sink: reading)
            do {
                try parser.run()
            } catch let error as ImportError {
                reading.error = error
            } catch {
                throw FuzzFailure("an error without a type of its own: \(error)")
            }
            reading.skips = parser.findings.skips
            reading.irregularities = parser.findings.irregularities
            reading.records = parser.records
            return reading
        }
    }

    /// The path with templates and large windows reads what the path without them reads.
    private static func parse(_ input: [UInt8]) throws {
        let fast = try Reading.of(input, chunkSize: 1 << 16, usesTemplates: true)
        let slow = try Reading.of(input, chunkSize: 64, usesTemplates: false)
        try FuzzFailure.unless(fast.error?.kind == slow.error?.kind, "the paths end differently")
        try FuzzFailure.unless(
            fast.skips == slow.skips && fast.irregularities == slow.irregularities, "the paths skip differently")
        try FuzzFailure.unless(
            fast.records == slow.records && fast.objects == slow.objects, "the paths read differently")
        let sorted = [fast, slow].map { $0.samples.mapValues { $0.map(\.bitPattern).sorted() } }
        try FuzzFailure.unless(sorted[0] == sorted[1], "the paths read other samples")
    }

    /// Imports the input, and checks that the store is sound and is the same after an export.
    private static func importing(_ input: [UInt8]) throws {
        let file = try FuzzFile(input, named: "import.xml")
        let engine = try HealthEngine(storage: InMemoryStorage())
        do {
            _ = try ArchiveImporter(engine: engine).run(path: file.path)
        } catch is ImportError {
        } catch is ValidationError {
            return
        }
        let problems = try engine.check()
        try FuzzFailure.unless(problems.isEmpty, "the store isn’t sound: \(problems)")
        let folder = FuzzFile.folder + "/export"
        let options = ExportOptions(
            exportDate: Date(timeIntervalSinceReferenceDate: 790_000_000), timeZone: .gmt, replacesTarget: true)
        _ = try ArchiveExporter(engine: engine, options: options).run(to: .folder(path: folder))
        let again = try HealthEngine(storage: InMemoryStorage())
        _ = try ArchiveImporter(engine: again).run(path: folder)
        // The names of types may have characters that XML doesn't allow, which an export replaces.
        try FuzzFailure.unless(
            try counts(engine).values.sorted() == counts(again).values.sorted(),
            "an export and an import changed the number of samples")
    }

    private static func counts(_ engine: HealthEngine) throws -> [String: Int] {
        let caller = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "fuzz", name: "fuzz")),
            permission: .owner)
        return try engine.typeOverview(as: caller).reduce(into: [:]) { $0[$1.type.identifier] = $1.count }
    }

    // MARK: Other files

    private static func zip(_ input: [UInt8]) throws {
        let file = try FuzzFile(input, named: "a.zip")
        for keeps in [false, true] {
            do {
                let archive = try ArchiveLocator.open(file.path, recoversDamagedArchives: keeps)
                drain(archive.main)
                for folder in ["electrocardiograms", "workout-routes", "clinical-records"] {
                    for path in archive.auxiliaryFiles.paths(inFolder: folder).prefix(8) {
                        _ = try? archive.auxiliaryFiles.contents(of: path, limit: 1 << 20)
                    }
                }
            } catch {
                try FuzzFailure.unless(error is ImportError, "an error without a type of its own: \(error)")
            }
        }
        do {
            let reader = try ZipReader(path: file.path)
            for entry in reader.entries.prefix(8) {
                let stream = try reader.stream(of: entry, growth: .bounded)
                drain(stream)
            }
        } catch {
            try FuzzFailure.unless(error is ZipError, "an error without a type of its own: \(error)")
        }
    }

    private static func drain(_ source: some Any) {
        let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { part.deallocate() }
        if let source = source as? any ByteSource { while let count = try? source.read(into: part), count > 0 {} }
        if let stream = source as? ZipEntryStream { while let bytes = try? stream.bytes(1 << 16), !bytes.isEmpty {} }
    }

    private static func route(_ input: [UInt8]) throws {
        guard let track = try? GPXReader.read(FuzzSource(input)) else { return }
        let slow = try? GPXReader.read(FuzzSource(input, step: 7))
        try FuzzFailure.unless(slow == track, "a route depends on how it is read")
        let written = GPXWriter.bytes(track, name: track.name ?? "", exported: 0)
        guard let again = try? GPXReader.read(FuzzSource(written)) else {
            throw FuzzFailure("what was written can’t be read")
        }
        try FuzzFailure.unless(again.points == track.points, "a route changed")
    }

    private static func electrocardiogram(_ input: [UInt8]) throws {
        guard let record = try? ElectrocardiogramReader.read(input, path: "/electrocardiograms/a.csv") else { return }
        guard let written = ElectrocardiogramWriter.file(record, offset: 0) else { return }
        guard let again = try? ElectrocardiogramReader.read(written, path: "/electrocardiograms/a.csv") else {
            throw FuzzFailure("what was written can’t be read")
        }
        try FuzzFailure.unless(volts(record) == volts(again), "voltages changed")
    }

    private static func volts(_ record: ObjectRecord) -> [UInt64] {
        guard case .document(let document) = record.body else { return [] }
        return document.series[ElectrocardiogramDocument.voltages(lead: ElectrocardiogramReader.lead)]?.map(
            \.bitPattern) ?? []
    }

    /// Lines with the checksums that belong to them, in an archive whose store is sound afterwards.
    private static func supplement(_ input: [UInt8]) throws {
        var text: [UInt8] = []
        for line in input.split(separator: UInt8(ascii: "\n")) {
            let check = line.withUnsafeBytes { Checksum.text(of: $0) }
            let whole = Array("{\"check\":\"\(check)\",\"line\":".utf8) + line + [UInt8(ascii: "}")]
            text += whole + [UInt8(ascii: "\n")]
            guard let decoded = SupplementText.decode(whole[...]) else { continue }
            guard let written = try? SupplementText.encode(decoded) else { continue }
            try FuzzFailure.unless(SupplementText.decode(written.dropLast()) == decoded, "a line changed")
        }
        let folder = FuzzFile.folder + "/supplement"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try FuzzFile(ArchiveExamples.exported.main, named: "supplement/export.xml")
        _ = try FuzzFile(text, named: "supplement/" + SupplementLine.fileName)
        let engine = try HealthEngine(storage: InMemoryStorage())
        _ = try ArchiveImporter(engine: engine, archive: .init(skipsKnownArchives: false)).run(path: folder)
        let problems = try engine.check()
        try FuzzFailure.unless(problems.isEmpty, "the store isn’t sound: \(problems)")
    }

    private static func clinical(_ input: [UInt8]) throws {
        _ = FHIRFacts(json: input)
        let attributes = [
            ArchivedElement.Attribute(name: "receivedDate", value: "2024-03-01 10:00:00 +0100"),
            .init(name: "type", value: "Observation"), .init(name: "fhirVersion", value: "4.0.1"),
        ]
        let element = ArchivedElement(name: "ClinicalRecord", attributes: attributes, children: [])
        let reading = try ClinicalRecordReader.read(element, resource: input)
        try FuzzFailure.unless(!reading.typeIdentifier.isEmpty, "a record has no type")
    }
}

/// Bytes in memory as a stream.
final class FuzzSource: ByteSource {
    let name = "input"
    let byteCount: Int?
    private let bytes: [UInt8]
    private let step: Int
    private var position = 0

    init(_ bytes: [UInt8], step: Int = .max) {
        self.bytes = bytes
        self.step = step
        byteCount = bytes.count
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, step, bytes.count - position)
        buffer.copyBytes(from: bytes[position..<(position + count)])
        position += count
        return count
    }
}
