import Foundation
import HealthModel
import Testing

@testable import HealthKit

/// Devices and sources keep their own plain values; their archives are those of the records.
@Suite struct SourceConversionTests {
    private let device = HKDevice(
        name: "Watch", manufacturer: "Apple", model: "Watch", hardwareVersion: "Watch6,7", firmwareVersion: nil,
        softwareVersion: "11.2", localIdentifier: nil, udiDeviceIdentifier: "udi")
    private let revision = HKSourceRevision(
        source: HKSource(SourceRecord(bundleIdentifier: "org.example.app", name: "App")), version: "2",
        productType: "Watch6,7",
        operatingSystemVersion: OperatingSystemVersion(majorVersion: 11, minorVersion: 2, patchVersion: 0))

    @Test func recordsComeBack() {
        #expect(HKDevice(device.record) == device)
        #expect(HKSource(revision.source.record) == revision.source)
        #expect(HKSourceRevision(revision.record) == revision)
        #expect(HKSourceRevision(revision.record).record == revision.record)
    }

    @Test func archivesOfRecordsAreReadable() throws {
        func decoded<Record: Decodable>(_ type: Record.Type, of object: some NSObject & NSSecureCoding) throws -> Record
        {
            try JSONDecoder().decode(type, from: RecordBytesCoder.bytes(of: object))
        }
        #expect(try decoded(DeviceRecord.self, of: device) == device.record)
        #expect(try decoded(SourceRecord.self, of: revision.source) == revision.source.record)
        #expect(try decoded(SourceRevisionRecord.self, of: revision) == revision.record)
        let old = try JSONEncoder().encode(revision.record)
        #expect(RecordBytesCoder.object(HKSourceRevision.self, in: old) == revision)
    }

    @Test func patternsMatchRevisions() {
        let other = HKSourceRevision(
            source: revision.source, version: nil, productType: nil, operatingSystemVersion: .init())
        let anyProduct = HKSourceRevision(source: revision.source, version: "2")
        let anyVersion = HKSourceRevision(source: revision.source, version: HKSourceRevisionAnyVersion)
        let matches = [revision, other, anyProduct, anyVersion].map { wanted in
            [revision, other].map { wanted.pattern.matches($0.record) }
        }
        #expect(matches == [[true, false], [false, true], [true, false], [true, true]])
    }
}
