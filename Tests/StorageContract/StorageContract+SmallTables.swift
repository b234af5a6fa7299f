import Foundation
import HealthModel
import HealthStorage

extension StorageContract {
    func checkNewStore() throws {
        let storage = try makeStorage()
        let identity = try storage.read { try $0.identity() }
        try expect(try storage.read { try $0.identity() }, equals: identity, "the identity stays")
        try expect(try storage.write { try $0.identity() }, equals: identity, "the identity in a transaction")
        let other = try makeStorage().read { try $0.identity() }
        try expect(other.uuid != identity.uuid, "another store has another identity")
        try storage.read { snapshot in
            var probes = StorageProbes()
            probes.uuids = [ContractRows.uuid(1)]
            probes.syncKeys = [.init(source: "a", type: ContractRows.paged, identifier: "i")]
            let contents = try StorageContents(of: snapshot, probes: probes)
            try expect(contents.differences(from: try emptyContents()).isEmpty, "a new store is empty")
            try expect(try snapshot.object(sequence: 1) == nil, "no object in a new store")
            try expect(
                try snapshot.page(of: ContractRows.paged, forStart: 0) == nil, "no page in a new store")
            try expect(try snapshot.value(namespace: "n", key: "k") == nil, "no setting in a new store")
        }
    }

    private func emptyContents() throws -> StorageContents {
        try StorageContents(of: NaiveTransaction())
    }

    func checkSequences() throws {
        let storage = try makeStorage()
        try storage.write { transaction in
            try expect(try transaction.allocateSequences(3), equals: 1, "the first run")
            try expect(try transaction.lastSequence(), equals: 3, "the last number in the transaction")
            try expect(try transaction.allocateSequences(0), equals: 4, "an empty run")
            try expect(try transaction.allocateSequences(1), equals: 4, "the run after an empty one")
        }
        try expect(try storage.read { try $0.lastSequence() }, equals: 4, "the last number")
        try expectInterruption("a transaction that fails") {
            try storage.write { transaction in
                _ = try transaction.allocateSequences(1_000_000)
                throw Interruption()
            }
        }
        try expect(try storage.read { try $0.lastSequence() }, equals: 4, "numbers of a failed transaction")
        try storage.write { transaction in
            try expect(
                try transaction.allocateSequences(5_000_000_000), equals: 5, "the run after a failed transaction")
        }
        try expect(try storage.read { try $0.lastSequence() }, equals: 5_000_000_004, "a long run")
    }

    func checkSettings() throws {
        let storage = try makeStorage()
        let values: [String: [UInt8]] = [
            "": [], "empty": [], "one": [0], "name 🍎\u{a0}ü": Array(0...255),
            "long": [UInt8](repeating: 7, count: 100_000),
        ]
        try storage.write { transaction in
            for (key, value) in values { try transaction.setValue(value, namespace: "a", key: key) }
            try transaction.setValue([9], namespace: "b", key: "one")
        }
        try storage.read { snapshot in
            try expect(try snapshot.values(namespace: "a") == values, "all values of a namespace")
            try expect(try snapshot.values(namespace: "c").isEmpty, "values of no namespace")
            try expect(try snapshot.value(namespace: "a", key: "empty") == [], "an empty value")
            try expect(try snapshot.value(namespace: "b", key: "one") == [9], "a key in another namespace")
            try expect(try snapshot.value(namespace: "b", key: "two") == nil, "a missing key")
        }
        try storage.write { transaction in
            try transaction.setValue([1], namespace: "a", key: "one")
            try transaction.setValue(nil, namespace: "a", key: "long")
            try transaction.setValue(nil, namespace: "a", key: "never there")
        }
        try storage.read { snapshot in
            try expect(try snapshot.value(namespace: "a", key: "one") == [1], "a value written again")
            try expect(try snapshot.value(namespace: "a", key: "long") == nil, "a value removed")
            try expect(try snapshot.values(namespace: "a").count, equals: 4, "values left")
            try expect(try snapshot.value(namespace: "b", key: "one") == [9], "the other namespace")
        }
    }

    func checkDictionaries() throws {
        let storage = try makeStorage()
        let sources = [
            SourceRecord(bundleIdentifier: "com.example", name: "Anna’s\u{a0}Watch 🍎"),
            SourceRecord(bundleIdentifier: "com.example", name: ""),
            SourceRecord(bundleIdentifier: "", name: "Anna’s\u{a0}Watch 🍎"),
        ]
        let revisions = [
            SourceRevisionRecord(source: sources[0]), SourceRevisionRecord(source: sources[0], version: ""),
            SourceRevisionRecord(source: sources[0], productType: ""),
            SourceRevisionRecord(source: sources[0], version: "1", productType: "Watch6,7"),
            SourceRevisionRecord(
                source: sources[0], version: "1", productType: "Watch6,7",
                operatingSystemVersion: OperatingSystemVersionRecord(major: 17, minor: 0, patch: 3)),
            SourceRevisionRecord(source: sources[1], version: "1", productType: "Watch6,7"),
        ]
        let devices = [
            DeviceRecord(), DeviceRecord(name: ""), DeviceRecord(name: "a"), DeviceRecord(manufacturer: "a"),
            DeviceRecord(model: "a"), DeviceRecord(hardwareVersion: "a"), DeviceRecord(firmwareVersion: "a"),
            DeviceRecord(softwareVersion: "a"), DeviceRecord(localIdentifier: "a"),
            DeviceRecord(udiDeviceIdentifier: "a"),
        ]
        try storage.write { transaction in
            for _ in 1...2 {
                for (index, source) in sources.enumerated() {
                    try expect(try transaction.intern(source), equals: UInt32(index + 1), "a source's number")
                }
                for (index, revision) in revisions.enumerated() {
                    try expect(
                        try transaction.intern(revision), equals: UInt32(index + 1), "a revision's number")
                }
                for (index, device) in devices.enumerated() {
                    try expect(try transaction.intern(device), equals: UInt32(index + 1), "a device's number")
                }
                try expect(try transaction.intern(unit: "count/min"), equals: 1, "a unit's number")
                try expect(try transaction.intern(unit: "µg/dL"), equals: 2, "another unit's number")
                try expect(try transaction.intern(unit: ""), equals: 0, "no unit's number")
            }
        }
        try checkTypes(in: storage)
        try expectInterruption("a transaction that fails") {
            try storage.write { transaction in
                let number = try transaction.intern(unit: "rolled back")
                try expect(number, equals: 3, "a third unit's number")
                _ = try transaction.intern(DeviceRecord(name: "rolled back"))
                throw Interruption()
            }
        }
        let dictionaries = try storage.read { try $0.dictionaries() }
        try expect(dictionaries.sources == sources, "all sources in order")
        try expect(dictionaries.revisions == revisions, "all revisions in order")
        try expect(dictionaries.devices == devices, "all devices in order")
        try expect(dictionaries.units == ["count/min", "µg/dL"], "all units in order")
        let new = SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "new", name: "new"))
        try storage.write { transaction in
            try expect(try transaction.intern(unit: "kg"), equals: 3, "numbers of a failed transaction are free")
            try expect(try transaction.intern(new), equals: UInt32(revisions.count + 1), "a new revision")
        }
        try expect(
            try storage.read { try $0.dictionaries().sources.last == new.source }, "a revision brings its source along")
    }

    private func checkTypes(in storage: any HealthStorage) throws {
        let first = TypeCode.firstUnknown.rawValue
        try storage.write { transaction in
            for _ in 1...2 {
                try expect(
                    try transaction.intern(typeIdentifier: "HKQuantityTypeIdentifierStepCount", kind: .quantity),
                    equals: try stepCount(), "a type of the catalog")
                try expect(
                    try transaction.intern(typeIdentifier: "HKQuantityTypeIdentifierMoonwalks", kind: .quantity),
                    equals: TypeCode(rawValue: first), "a type of this store")
                try expect(
                    try transaction.intern(typeIdentifier: "HKCategoryTypeIdentifierNaps", kind: .category),
                    equals: TypeCode(rawValue: first + 1), "another type of this store")
            }
        }
        let types = try storage.read { try $0.dictionaries().types }
        try expect(
            types.map(\.identifier) == ["HKQuantityTypeIdentifierMoonwalks", "HKCategoryTypeIdentifierNaps"],
            "types of this store in order")
        try expect(types.map(\.kind) == [.quantity, .category], "their kinds")
        try expect(types.map(\.code.rawValue) == [first, first + 1], "their codes")
    }

    private func stepCount() throws -> TypeCode {
        guard let steps = TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount") else {
            throw StorageContractFailure("the catalog does not contain step count")
        }
        return steps.code
    }
}
