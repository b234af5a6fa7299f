@testable import AppleHealthExport
import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

/// Comparing clinical documents as iOS writes them: with two root elements if there are vital signs.
@Suite struct ArchiveCrossCheckTests {
    private let folder: TemporaryFolder
    private let engine: HealthEngine
    private static let rate = "HKQuantityTypeIdentifierHeartRate"
    private static let mass = "HKQuantityTypeIdentifierBodyMass"

    init() throws {
        folder = try TemporaryFolder()
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
    }

    private static func observation(
        type: String = rate, value: String, unit: String = "count/min", low: String = "20240301100000+0100",
        high: String = "20240301101000+0100"
    ) -> String {
        """
           <component>
            <observation classCode="OBS" moodCode="EVN">
             <code code="8867-4" codeSystem="2.16.840.1.113883.6.1" displayName="Heart rate"/>
             <text><sourceName>Phone &amp; Co</sourceName><value>\(value)</value><type>\(type)</type><unit>\(unit)</unit><metadataEntry><key>k</key><value>1</value></metadataEntry></text>
             <statusCode code="completed"/>
             <effectiveTime><low value="\(low)"/><high value="\(high)"/></effectiveTime>
             <value xsi:type="PQ" value="\(value)" unit="\(unit)"/>
            </observation>
           </component>

        """
    }

    private static func document(_ observations: [String]) -> String {
        """
        <?xml version="1.0"?>
        <ClinicalDocument xmlns="urn:hl7-org:v3">
         <title>Health Data Export</title>
        </ClinicalDocument>
        <component><section><entry typeCode="DRIV"><organizer classCode="CLUSTER" moodCode="EVN">
        \(observations.joined())</organizer></entry></section></component>

        """
    }

    private func archive(_ document: String) throws -> String {
        let records = [
            ArchiveText.record(type: Self.rate, unit: "count/min", value: "72"),
            ArchiveText.record(type: Self.rate, unit: "count/min", value: "72"),
            ArchiveText.record(type: Self.mass, unit: "kg", value: "70"),
        ]
        try folder.write(document, as: "apple_health_export/export_cda.xml")
        try folder.write(ArchiveText.file(records), as: "apple_health_export/export.xml")
        let path = folder.path + "/apple_health_export"
        #expect(try ArchiveImporter(engine: engine).run(path: path).addedCount == 3)
        return path
    }

    @Test(arguments: [1, 2, 1_000]) func countsWhatIsThereAndWhatIsNot(_ batchSize: Int) throws {
        let path = try archive(
            Self.document([
                Self.observation(value: "72"), Self.observation(value: "73"),
                Self.observation(value: "72", low: "20240301100001+0100"),
                Self.observation(value: "72", high: "20240301101001+0100"),
                Self.observation(
                    type: Self.mass, value: "70000", unit: "g", low: "20240301090000+0000", high: "20240301091000+0000"),
                Self.observation(type: "HKQuantityTypeIdentifierHeight", value: "180", unit: "cm"),
                Self.observation(value: "many"), Self.observation(value: "72", low: "yesterday"),
            ]))
        let check = ArchiveCrossCheck(engine: engine, batchSize: batchSize)
        for path in [path, path + "/export_cda.xml"] {
            let report = try check.run(path: path)
            #expect(report.types[Self.rate]?.found == 1 && report.types[Self.rate]?.missing == 3)
            #expect(report.types[Self.mass]?.found == 1 && report.types[Self.mass]?.missing == 0)
            #expect(report.types["HKQuantityTypeIdentifierHeight"]?.missing == 1)
            #expect(
                report.unreadable == 2 && !report.isCutOff
                    && report.file == folder.path + "/apple_health_export/export_cda.xml")
        }
    }

    @Test func oneSampleMatchesOneObservation() throws {
        let path = try archive(Self.document(Array(repeating: Self.observation(value: "72"), count: 3)))
        let report = try ArchiveCrossCheck(engine: engine).run(path: path)
        #expect(report.found == 2 && report.missing == 1)
    }

    @Test func aDamagedDocumentIsComparedAsFarAsPossible() throws {
        let text = Self.document([Self.observation(value: "72"), Self.observation(value: "72")])
        let path = try archive(text)
        let whole = Array(text.utf8)
        for cut in stride(from: 0, to: whole.count, by: 37) {
            try folder.write(Array(whole[..<cut]), as: "apple_health_export/export_cda.xml")
            let report = try ArchiveCrossCheck(engine: engine).run(path: path)
            #expect(report.found <= 2 && report.missing == 0 && report.unreadable <= 1)
        }
        var random = SplitMix64(seed: 20_261_123)
        for _ in 0..<200 {
            let damaged = Mutation.apply(to: whole, from: 0, count: 3, using: &random)
            var reader = ClinicalDocumentReader(source: MemorySource(damaged, step: 7), chunkSize: 64)
            var count = 0
            while reader.next() != nil { count += 1 }
            #expect(count <= 4)
        }
    }

    @Test func withoutADocumentNothingIsCompared() throws {
        let path = try folder.write(ArchiveText.file([]), as: "export.xml")
        #expect(throws: ImportError.self) { try ArchiveCrossCheck(engine: engine).run(path: path) }
        #expect(throws: ImportError.self) { try ArchiveCrossCheck(engine: engine).run(path: folder.path + "/none") }
    }

    @Test(
        arguments: [
            ("20240301100000+0100", ArchiveText.instant(2024, 3, 1, 9)),
            ("20240301100000-0530", ArchiveText.instant(2024, 3, 1, 15, 30)),
            ("20240301100000", nil), ("2024-03-01 10:00:00", nil), ("2024030110000é+010", nil), ("", nil),
        ] as [(String, Double?)])
    func readsInstants(_ text: String, _ instant: Double?) {
        #expect(ClinicalObservation.instant(text) == instant)
    }
}
