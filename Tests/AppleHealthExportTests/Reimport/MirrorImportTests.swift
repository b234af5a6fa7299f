@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import HealthStorage
import Testing

/// Mirroring imports, and archives of another person.
@Suite struct MirrorImportTests {
    private let folder: TemporaryFolder
    private let engine: HealthEngine
    private let steps = "HKQuantityTypeIdentifierStepCount"
    private let mass = "HKQuantityTypeIdentifierBodyMass"

    init() throws {
        folder = try TemporaryFolder()
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
    }

    private func run(
        _ elements: [String], _ options: ArchiveOptions = .init(), batchSize: Int = 1_000
    ) throws -> ImportReport {
        try ArchiveImporter(engine: engine, options: .init(batchSize: batchSize), archive: options).run(
            path: folder.write(ArchiveText.file(elements), as: "export.xml"))
    }

    private func record(_ minute: Int, _ value: String = "1") -> String {
        ArchiveText.record(
            start: "2024-03-01 10:\(10 + minute):00 +0100", end: "2024-03-01 10:\(10 + minute):30 +0100", value: value)
    }

    private let weight = ArchiveText.record(type: "HKQuantityTypeIdentifierBodyMass", unit: "kg", value: "70")

    @Test func removesMissingSamplesOnlyWhenMirroring() throws {
        _ = try run((0..<10).map { record($0) } + [weight])
        let plain = try run((5..<12).map { record($0) })
        #expect(plain.added == [steps: 2] && plain.removed == [:])
        let mirrored = try run((5..<12).map { record($0) }, .init(mirrors: true), batchSize: 3)
        #expect(
            mirrored.added == [:] && mirrored.alreadyThere == [steps: 7] && mirrored.removed == [steps: 5, mass: 1])
        #expect(mirrored.removedCount == 6)
        #expect(try run((5..<12).map { record($0) }, .init(mirrors: true)).removed == [:])
    }

    @Test func skippedElementsProtectTheirType() throws {
        _ = try run((0..<3).map { record($0) } + [weight])
        let report = try run([record(0), record(1, "one")], .init(mirrors: true))
        #expect(report.skipped == [steps: 1] && report.removed == [mass: 1])
    }

    @Test func aDamagedArchiveRemovesNothing() throws {
        _ = try run((0..<3).map { record($0) } + [weight])
        let report = try run([record(0), "<Record type=\"\(steps)\" source", record(1)], .init(mirrors: true))
        #expect(report.removed == [:] && report.skippedCount == 1)
        #expect(report.irregularities["nothing removed, because parts of the archive are damaged"] == 1)
    }

    @Test func aTruncatedArchiveRemovesNothing() throws {
        _ = try run((0..<10).map { record($0) })
        let text = ArchiveText.file((0..<10).map { record($0) }).dropLast(300)
        let path = try folder.write(String(text), as: "cut.xml")
        #expect(throws: ImportError.self) {
            try ArchiveImporter(engine: engine, archive: .init(mirrors: true)).run(path: path)
        }
        #expect(try run((0..<10).map { record($0) }).alreadyThere == [steps: 10])
    }

    // MARK: Another person

    private func me(_ birth: String?, _ sex: String? = nil, blood: String? = nil) -> String {
        var text = "<Me"
        if let birth { text += " HKCharacteristicTypeIdentifierDateOfBirth=\"\(birth)\"" }
        if let sex { text += " HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSex\(sex)\"" }
        if let blood { text += " HKCharacteristicTypeIdentifierBloodType=\"HKBloodType\(blood)\"" }
        return text + "/>"
    }

    @Test func anotherPersonsArchiveIsRefused() throws {
        _ = try run([me("1985-03-12", "Female"), record(0)])
        do {
            _ = try run([me("1990-01-01", "Male", blood: "APositive"), record(1), record(2)], batchSize: 1)
            Issue.record("It belongs to another person")
        } catch let error as ImportError {
            #expect(error.kind == .anotherPerson)
            #expect(
                error.description
                    == "“\(folder.path)/export.xml” belongs to a different person than the archives imported before: its date of birth and biological sex differ."
            )
        }
        #expect(try run([record(0), record(1)]).added == [steps: 1])
    }

    @Test func missingCharacteristicsAreIgnored() throws {
        _ = try run([me("1985-03-12", "Female"), record(0)])
        for element in [me(nil), me("1985-03-12", "NotSet", blood: "ONegative"), me("", "Female"), me("1985-03-12")] {
            #expect(try run([element, record(0)]).alreadyThere == [steps: 1])
        }
        // What was learnt later counts too.
        #expect(throws: ImportError.self) { try run([me(nil, blood: "APositive"), record(3)]) }
    }

    @Test func anyPersonIsAcceptedOnRequest() throws {
        _ = try run([me("1985-03-12"), record(0)])
        #expect(try run([me("1986-03-12"), record(1)], .init(acceptsAnyPerson: true)).added == [steps: 1])
        // From now on it is that person's.
        #expect(try run([me("1986-03-12"), record(2)]).added == [steps: 1])
        #expect(throws: ImportError.self) { try run([me("1985-03-12"), record(3)]) }
    }

    @Test func aProfileEnteredByHandRefusesNoArchive() throws {
        try engine.profile.update { $0.bloodType = 2 }
        #expect(try run([me(nil, blood: "APositive"), record(0)]).addedCount == 1)
    }

    @Test func theHeaderPrecedesTheFirstBatch() throws {
        let sink = CollectingSink()
        var parser = ArchiveParser(
            source: MemorySource(Array(ArchiveText.file([me("1985-03-12"), record(0), record(1)]).utf8)),
            options: .init(batchSize: 1), sink: sink)
        try parser.run()
        #expect(sink.headers.count == 1 && sink.headers.first?.characteristics.count == 1)
    }
}
