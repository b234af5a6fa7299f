import Foundation
import HealthEngine
import HealthModel

@testable import HealthKit

/// The values from which the tests of this folder build selections.
enum RecordFixtures {
    static let metadata = Metadata([
        .init(key: "bool", value: .bool(true)), .init(key: "date", value: .date(1.5)),
        .init(key: "double", value: .double(2)), .init(key: "integer", value: .integer(3)),
        .init(key: "quantity", value: .quantity(4.25, unit: "kcal/hr·kg")),
        .init(key: "string", value: .string("“quoted” \u{00a0}🙂")),
    ])

    static let unknownType = TypeDescription(
        code: .firstUnknown, identifier: "HKQuantityTypeIdentifierOfTomorrow", kind: .quantity)

    static var dictionaries: StoreDictionaries {
        var dictionaries = StoreDictionaries()
        dictionaries.units = ["count", "lb", "count/min"]
        dictionaries.revisions = [
            SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: "com.example.watch", name: "Watch"),
                version: "10.1", productType: "Watch6,7",
                operatingSystemVersion: .init(major: 10, minor: 1)),
            SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "com.example.app", name: "App")),
        ]
        dictionaries.devices = [DeviceRecord(name: "Watch", model: "Watch")]
        dictionaries.types = [unknownType]
        return dictionaries
    }

    static func code(_ identifier: String) -> TypeCode {
        dictionaries.type(identifier: identifier)?.code ?? TypeCode(rawValue: 0)
    }

    /// Three rows of one type: full, without device and metadata, and with its own identity.
    static func columns(_ identifier: String, unit: UInt32) -> SampleColumns {
        var columns = SampleColumns(type: code(identifier))
        columns.starts = [10, 20, 30]
        columns.ends = [15, 20, 36]
        columns.values = [1, 2.5, 3]
        columns.units = [unit, unit, unit]
        columns.revisions = [1, 2, 1]
        columns.devices = [1, 0, 1]
        columns.metadata.numbers = [1, 0, 1]
        columns.metadata.table = [metadata]
        columns.sequences = [7, 8, 9]
        columns.uuids = [nil, nil, givenIdentity]
        return columns
    }

    static let givenIdentity = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    static func selection(_ batches: [SampleColumns], objects: [ObjectRecord] = []) -> SampleSelection {
        var order: [SampleSelection.Reference] = []
        for (index, batch) in batches.enumerated() {
            order += (0..<batch.count).map { .sample(batch: Int32(index), row: Int32($0)) }
        }
        order += objects.indices.map { .object(Int32($0)) }
        return SampleSelection(
            batches: batches, objects: objects, order: order, dictionaries: dictionaries,
            identities: DerivedIdentities(seed: 42))
    }
}

extension HKSample {
    /// The record as a store would keep it.
    var sampleRecord: SampleRecord? {
        if case .sample(let record) = RecordEncoder.item(self) { record } else { nil }
    }

    /// The record as a store would keep it.
    var objectRecord: ObjectRecord? {
        if case .object(let record) = RecordEncoder.item(self) { record } else { nil }
    }
}
