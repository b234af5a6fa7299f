@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthKit
import HealthModel
import HealthStorageSQLite
import HealthTesting
import Testing
import UniformTypeIdentifiers

/// Imported hearing tests, prescriptions and clinical records in the public API.
@Suite struct ImportedDocumentsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let scan = Array("%PDF-1.7 a scan".utf8)
    private static let immunization = Array(
        "{\n \"resourceType\": \"Immunization\", \"vaccineCode\": {\"text\": \"Influenza\"}}\r\n".utf8)
    private static let laboratory = Array(
        "{\"resourceType\":\"Observation\",\"category\":[{\"coding\":[{\"code\":\"laboratory\"}]}],\"code\":{\"text\":\"Glucose\"}}"
            .utf8)

    private static let audiogram =
        "<Audiogram type=\"HKDataTypeIdentifierAudiogram\" sourceName=\"Clinic\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 10:20:00 +0100\"><SensitivityPoint frequencyValue=\"500\" frequencyUnit=\"Hz\" leftEarValue=\"20\" leftEarUnit=\"dBHL\" rightEarValue=\"15\" rightEarUnit=\"dBHL\" rightEarMasked=\"1\" rightEarClampingRangeUpperBound=\"85\"/></Audiogram>"
    private static let prescription =
        "<VisionPrescription type=\"Glasses\" dateIssued=\"2024-03-01 10:00:00 +0100\" expirationDate=\"2026-03-01 10:00:00 +0100\"><RightEye sphere=\"-1.25\" sphereUnit=\"D\" prismAmount=\"2\" prismAmountUnit=\"pD\" prismAngle=\"90\" prismAngleUnit=\"deg\" farPD=\"31\" farPDUnit=\"mm\"/><Attachment identifier=\"6C2A1B7E-0B1E-4C8A-9B1D-111111111111\"/></VisionPrescription>"
    private static let contacts =
        "<VisionPrescription type=\"Contacts\" dateIssued=\"2023-03-01 10:00:00 +0100\" brand=\"Clear\"><LeftEye sphere=\"-3\" sphereUnit=\"D\" baseCurve=\"8.6\" baseCurveUnit=\"mm\"/></VisionPrescription>"

    private static func clinical(_ type: String, _ file: String) -> String {
        "<ClinicalRecord type=\"\(type)\" identifier=\"\(file)\" sourceName=\"Hospital\" sourceURL=\"https://fhir.example/\(file)\" fhirVersion=\"4.0.1\" receivedDate=\"2024-03-02 10:00:00 +0100\" resourceFilePath=\"/clinical-records/\(file).json\"/>"
    }

    private static let text = ArchiveText.file([
        audiogram, prescription, contacts, clinical("Immunization", "I"), clinical("Observation", "L"),
    ])
    private static let auxiliaryFiles: [(name: String, bytes: [UInt8])] = [
        ("clinical-records/I.json", immunization), ("clinical-records/L.json", laboratory),
        ("attachments/6c2a1b7e-0b1e-4c8a-9b1d-111111111111.pdf", scan),
    ]

    private var archiveFolder: String { folder.path + "/apple_health_export" }

    private func writeFolder() throws -> String {
        try folder.write(Self.text, as: "apple_health_export/export.xml")
        for file in Self.auxiliaryFiles { try folder.write(file.bytes, as: "apple_health_export/" + file.name) }
        return archiveFolder
    }

    private func writeZip() throws -> String {
        let writer = try ZipWriter(path: folder.path + "/export.zip")
        for file in Self.auxiliaryFiles + [("export.xml", Array(Self.text.utf8))] {
            try writer.beginEntry("apple_health_export/" + file.0)
            try writer.write(file.1)
        }
        try writer.finish()
        return folder.path + "/export.zip"
    }

    /// Imports into the store's file and opens it through the public API.
    private func imported(_ paths: String...) throws -> (store: HKHealthStore, reports: [ImportReport]) {
        let file = folder.path + "/store.sqlite"
        let engine = try HealthEngine(storage: SQLiteStorage(path: file))
        let reports = try paths.map { try ArchiveImporter(engine: engine).run(path: $0) }
        try engine.close()
        let store = HKHealthStore(
            configuration: .init(
                location: .file(URL(fileURLWithPath: file)), application: .init(bundleIdentifier: "test"),
                authorization: .allowAll))
        return (store, reports)
    }

    private func check(_ store: HKHealthStore) async throws {
        let audiograms = try await HKSampleQueryDescriptor(predicates: [.audiogram()], sortDescriptors: []).result(
            for: store)
        let audiogram = try #require(audiograms.first)
        #expect(audiograms.count == 1 && audiogram.sourceRevision.source.name == "Clinic")
        let point = try #require(audiogram.sensitivityPoints.first)
        #expect(point.frequency == HKQuantity(unit: .hertz(), doubleValue: 500))
        #expect(point.leftEarSensitivity == HKQuantity(unit: .decibelHearingLevel(), doubleValue: 20))
        #expect(point.tests.map(\.masked) == [false, true])
        #expect(point.tests[1].clampingRange?.upperBound == HKQuantity(unit: .decibelHearingLevel(), doubleValue: 85))

        let prescriptions = try await HKSampleQueryDescriptor(
            predicates: [.visionPrescription()], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        #expect(prescriptions.count == 2)
        let contacts = try #require(prescriptions.first as? HKContactsPrescription)
        #expect(contacts.brand == "Clear" && contacts.rightEye == nil && contacts.expirationDate == nil)
        #expect(contacts.leftEye?.baseCurve == HKQuantity(unit: .meterUnit(with: .milli), doubleValue: 8.6))
        let glasses = try #require(prescriptions.last as? HKGlassesPrescription)
        #expect(glasses.prescriptionType == .glasses && glasses.leftEye == nil)
        #expect(glasses.expirationDate?.timeIntervalSinceReferenceDate == ArchiveText.instant(2026, 3, 1, 9))
        #expect(glasses.rightEye?.sphere == HKQuantity(unit: .diopter(), doubleValue: -1.25))
        #expect(glasses.rightEye?.prism?.verticalBase == .up && glasses.rightEye?.prism?.eye == .right)
        #expect(glasses.metadata == nil && glasses.sourceRevision.source.bundleIdentifier == "com.apple.Health")

        let attachments = HKAttachmentStore(healthStore: store)
        let files = try await attachments.attachments(for: glasses)
        let file = try #require(files.first)
        #expect(files.count == 1 && file.identifier.uuidString == "6C2A1B7E-0B1E-4C8A-9B1D-111111111111")
        #expect(file.contentType == .pdf && file.name == "6c2a1b7e-0b1e-4c8a-9b1d-111111111111.pdf")
        #expect(file.creationDate == glasses.dateIssued && file.metadata == nil)
        #expect(try await [UInt8](attachments.dataReader(for: file).data) == Self.scan)

        for (type, kind, data, name) in [
            (
                HKClinicalTypeIdentifier.immunizationRecord, HKFHIRResourceType.immunization, Self.immunization,
                "Influenza"
            ),
            (.labResultRecord, .observation, Self.laboratory, "Glucose"),
        ] {
            let predicate = HKQuery.predicateForClinicalRecords(withFHIRResourceType: kind)
            let records = try await HKSampleQueryDescriptor(
                predicates: [.clinicalRecord(type: HKClinicalType(type), predicate: predicate)], sortDescriptors: []
            ).result(for: store)
            let record = try #require(records.first)
            #expect(records.count == 1 && record.displayName == name && record.clinicalType == HKClinicalType(type))
            #expect(record.fhirResource?.data == Data(data) && record.fhirResource?.fhirVersion == .primaryR4())
            #expect(record.fhirResource?.resourceType == kind && record.sourceRevision.source.name == "Hospital")
            #expect(record.startDate.timeIntervalSinceReferenceDate == ArchiveText.instant(2024, 3, 2, 9))
            let address = "https://fhir.example/" + (kind == .observation ? "L" : "I")
            #expect(record.fhirResource?.sourceURL?.absoluteString == address)
        }
    }

    @Test(arguments: [false, true]) func aFolderAndAZipLandAsObjects(_ isZip: Bool) async throws {
        let path = isZip ? try writeZip() : try writeFolder()
        let (store, reports) = try imported(path, path)
        #expect(reports[0].skips == [] && reports[0].addedCount == 5)
        #expect(reports[1].addedCount == 0 && reports[1].alreadyThereCount == 5)
        try await check(store)
    }

    @Test func filesThatAreAddedLaterCompleteObjects() async throws {
        let bare = try folder.write(Self.text, as: "alone/export.xml")
        // Without its file, an observation has no HealthKit type.
        let (store, reports) = try imported(bare, try writeFolder(), bare)
        #expect(reports[0].addedCount == 5 && reports[0].skippedCount == 3)
        #expect(Set(reports[0].skips.map(\.reason)) == ["its file is missing, its reference is preserved"])
        #expect(reports[1].added == ["HKClinicalTypeIdentifierLabResultRecord": 1] && reports[1].alreadyThereCount == 4)
        #expect(reports[2].addedCount == 0 && reports[2].alreadyThereCount == 5)
        try await check(store)
    }

    @Test func anObservationWithItsFileReplacesTheOneWithout() throws {
        let (bare, whole) = (try folder.write(Self.text, as: "alone/export.xml"), try writeFolder())
        let (untyped, typed) = ("ClinicalRecord#Observation", "HKClinicalTypeIdentifierLabResultRecord")
        let clean = try ImportedStore()
        try clean.run(whole)
        let store = try ImportedStore()
        try store.run(bare)
        #expect(try store.objects(untyped).count == 1 && store.objects(typed).isEmpty)
        for path in [whole, bare, whole] {
            let report = try store.run(path)
            #expect(report.added.keys.allSatisfy { $0 == typed } && report.alreadyThere[untyped] == nil)
            #expect(try store.objects(untyped).isEmpty && store.objects(typed).count == 1)
            #expect(try StoreImage(store.engine) == StoreImage(clean.engine))
        }
        // In the reverse order nothing is added either.
        #expect(try clean.run(bare).addedCount == 0)
        try store.expectWhole()
        // Two equal ones are both replaced.
        let twice = try folder.write(
            ArchiveText.file([Self.clinical("Observation", "L"), Self.clinical("Observation", "L")]),
            as: "twice/export.xml")
        try store.run(twice)
        #expect(try store.objects(untyped).count == 1 && store.objects(typed).count == 1)
    }

    @Test func deletingAPrescriptionDeletesItsFiles() async throws {
        let (store, _) = try imported(try writeFolder())
        _ = store
        let engine = try HealthEngine(storage: SQLiteStorage(path: folder.path + "/store.sqlite"))
        let owner = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "test", name: "test")),
            permission: .owner)
        let prescriptions = try await HKSampleQueryDescriptor(predicates: [.visionPrescription()], sortDescriptors: [])
            .result(for: store)
        let file = try await HKAttachmentStore(healthStore: store).attachments(
            for: try #require(prescriptions.last { $0 is HKGlassesPrescription }))
        try engine.delete(prescriptions.map(\.uuid), as: owner)
        let left = try await HKSampleQueryDescriptor(predicates: [.visionPrescription()], sortDescriptors: [])
            .result(for: store)
        #expect(left == [])
        await #expect(throws: HKError.self) {
            try await HKAttachmentStore(healthStore: store).dataReader(for: try #require(file.first)).data
        }
        try engine.close()
    }

    @Test func filesThatAreTooLargeOrAmbiguousAreReported() throws {
        let auxiliaryFiles = MemoryAuxiliaryFiles([
            "attachments/6C2A1B7E-0B1E-4C8A-9B1D-111111111111.pdf": String(repeating: "x", count: 10 * 1024 * 1024 + 1)
        ])
        let large = Parsed(ArchiveText.file([Self.prescription]), auxiliaryFiles: auxiliaryFiles)
        #expect(
            large.skips == [
                .init(
                    line: 8, type: "HKVisionPrescriptionTypeIdentifier",
                    reason: "its file is larger than 10 MB, its reference is preserved")
            ])
        #expect(large.objects.count == 1)
        RoundTrip.expectEqual(try RoundTrip.write(large.objects[0]), try RoundTrip.element(Self.prescription))
    }

    @Test func filesAreFoundByTheirIdentifier() {
        let folder = AttachmentFolder(paths: [
            "/attachments/B.pdf", "/attachments/a", "/attachments/a.pdf", "/attachments/scan-1.png",
            "/attachments/scan-2.png",
            "/attachments/only-one.heic",
        ])
        #expect(folder.path(of: "A") == "/attachments/a" && folder.path(of: "b") == "/attachments/B.pdf")
        #expect(folder.path(of: "/attachments/b.pdf") == "/attachments/B.pdf")
        #expect(folder.path(of: "only") == "/attachments/only-one.heic")
        #expect(folder.path(of: "scan") == nil && folder.path(of: "") == nil && folder.path(of: "z") == nil)
        #expect(AttachmentContentType.identifier(name: "a.PDF", bytes: []) == "com.adobe.pdf")
        #expect(AttachmentContentType.identifier(name: "a", bytes: [0x89, 0x50, 0x4E, 0x47, 1]) == "public.png")
        #expect(AttachmentContentType.identifier(name: "a.unheardof", bytes: [1]) == "public.data")
    }

    @Test func damagedDocumentsNeverTrap() throws {
        let seed: UInt64 = 20_261_122
        var random = SplitMix64(seed: seed)
        let bytes = Array(Self.text.utf8)
        let first =
            Self.text.range(of: "<Audiogram").map {
                Self.text.utf8.distance(from: Self.text.startIndex, to: $0.lowerBound)
            } ?? 0
        var auxiliaryFiles = MemoryAuxiliaryFiles()
        var written = 0
        for round in 0..<400 {
            auxiliaryFiles.files = Dictionary(
                uniqueKeysWithValues: Self.auxiliaryFiles.map {
                    ($0.name, Mutation.apply(to: $0.bytes, from: 0, count: 2, using: &random))
                })
            let damaged = Mutation.apply(to: bytes, from: first, count: 1 + round % 8, using: &random)
            for object in Parsed(damaged, auxiliaryFiles: auxiliaryFiles).objects {
                // An unknown type is not in the writer's dictionaries.
                if (try? RoundTrip.write(object)) != nil { written += 1 }
            }
        }
        #expect(written > 400, "seed \(seed)")
    }
}
