import Foundation
import HealthEngine
import HealthModel
import Testing

/// Filters one by one, at a page size where headers decide and one where rows do.
@Suite struct FilterTests {
    private func values(
        _ store: TestStore, _ filter: SampleFilter, of type: TypeCode = Names.mass
    ) throws -> [Double] {
        let request = SampleRequest(parts: [.init(type: type, filter: filter)])
        return try store.engine.samples(request, as: Names.journal).found.map(\.value)
    }

    @Test(arguments: [1, 1_000])
    func quantitiesCompareInAnyUnit(pageCapacity: Int) throws {
        let store = try TestStore(pageCapacity: pageCapacity)
        try store.engine.save(
            [
                .sample(.quantity(Names.mass, 70, "kg", from: 1)), .sample(.quantity(Names.mass, 70_000, "g", from: 2)),
                .sample(.quantity(Names.mass, 100, "lb", from: 3)),
            ], as: Names.journal)
        #expect(try values(store, .quantity(.equal, QuantityRecord(70, unit: "kg"))) == [70, 70_000])
        #expect(try values(store, .quantity(.lessThan, QuantityRecord(69_000, unit: "g"))) == [100])
        #expect(try values(store, .not(.quantity(.lessThan, QuantityRecord(69_000, unit: "g")))) == [70, 70_000])
        // What cannot be expressed in the unit does not even differ from it.
        #expect(try values(store, .quantity(.notEqual, QuantityRecord(1, unit: "m"))).isEmpty)
        // A field the type does not have never matches.
        #expect(try values(store, .category(.notEqual, 3)).isEmpty)
        #expect(try values(store, .workoutActivityType(.notEqual, 3)).isEmpty)
    }

    @Test func temperaturesCompareWithTheirZeroPoints() throws {
        let store = try TestStore()
        try store.engine.save(
            [
                .sample(.quantity(Names.temperature, 37, "degC", from: 1)),
                .sample(.quantity(Names.temperature, 100.4, "degF", from: 2)),
            ], as: Names.journal)
        let warm = SampleFilter.quantity(.greaterThan, QuantityRecord(37.5, unit: "degC"))
        #expect(try values(store, warm, of: Names.temperature) == [100.4])
    }

    @Test(arguments: [1, 1_000])
    func missingMetadataDiffersFromEveryValue(pageCapacity: Int) throws {
        let store = try TestStore(pageCapacity: pageCapacity)
        let said = Metadata([.init(key: MetadataKey.wasUserEntered, value: .bool(false))])
        for (index, metadata) in [Metadata.empty, .byHand, said].enumerated() {
            try store.engine.save(
                [.sample(.quantity(Names.mass, Double(index), "kg", from: 1, metadata: metadata))],
                as: Names.journal)
        }
        let key = MetadataKey.wasUserEntered
        #expect(try values(store, .metadata(key, .notEqual, .bool(true))) == [0, 2])
        #expect(try values(store, .metadata(key, .equal, .integer(1))) == [1])
        #expect(try values(store, .metadata(key, .lessThan, .integer(1))) == [2])
        #expect(try values(store, .metadataPresent(key)) == [1, 2])
        #expect(try values(store, .not(.metadataPresent(key))) == [0])
        #expect(try values(store, .metadataIn(key, [.bool(false), .string("no")])) == [2])
        #expect(try values(store, .metadata(key, .equal, .string("1"))).isEmpty)
    }

    @Test func devicesAgreeInEveryProperty() throws {
        let store = try TestStore()
        let band = DeviceRecord(name: "Band")
        let newBand = DeviceRecord(name: "Band", hardwareVersion: "2")
        for (index, device) in [band, newBand, nil].enumerated() {
            var sample = SampleRecord.quantity(Names.mass, Double(index), "kg", from: 1)
            sample.device = device
            try store.engine.save([.sample(sample)], as: Names.journal)
        }
        #expect(try values(store, .device([band])) == [0])
        #expect(try values(store, .deviceProperty(.name, ["Band"])) == [0, 1])
        // An empty set asks for devices without the property.
        #expect(try values(store, .deviceProperty(.hardwareVersion, [])) == [0, 2])
    }

    @Test func revisionsMatchWithWildcards() throws {
        let store = try TestStore()
        let newer = Names.caller("org.example.journal", "Journal", version: "2.0")
        for (index, caller) in [Names.journal, newer, Names.tracker].enumerated() {
            try store.engine.save([.sample(.quantity(Names.mass, Double(index), "kg", from: 1))], as: caller)
        }
        let journal = Names.journal.bundleIdentifier
        #expect(try values(store, .source([journal])) == [0, 1])
        #expect(try values(store, .ownSource) == [0, 1])
        #expect(try values(store, .not(.ownSource)) == [2])
        #expect(try values(store, .revision([RevisionPattern(bundleIdentifier: journal)])) == [0, 1])
        #expect(
            try values(store, .revision([RevisionPattern(bundleIdentifier: journal, version: .exactly("2.0"))])) == [1])
        #expect(
            try values(
                store, .revision([RevisionPattern(bundleIdentifier: journal, productType: .exactly("Watch6,7"))])
            ).isEmpty)
    }

    @Test func identitiesGivenAndDerived() throws {
        let store = try TestStore(pageCapacity: 2)
        let given = UUID()
        for index in 0..<9 {
            var sample = SampleRecord.quantity(Names.mass, Double(index), "kg", from: Double(index))
            if index == 4 { sample.uuid = given }
            try store.engine.save([.sample(sample)], as: Names.journal)
        }
        let all = try store.engine.samples(SampleRequest(parts: [.init(type: Names.mass)]), as: Names.journal)
        let uuids = try all.found.map { try #require($0.uuid) }
        #expect(uuids[4] == given)
        #expect(try values(store, .uuid([uuids[7], given, UUID()])) == [4, 7])
        #expect(try values(store, .uuid([uuids[7]]), of: Names.steps).isEmpty)
        // The identity that would be derived for a sample with one of its own leads nowhere.
        let hidden = all.identities.uuid(for: all.batches[0].sequences[4])
        #expect(try values(store, .uuid([hidden])).isEmpty)
        #expect(try values(store, .not(.uuid([given]))).count == 8)
    }

    @Test func membersOfCorrelations() throws {
        let store = try TestStore(pageCapacity: 2)
        let pressure = UUID()
        let members = [
            SampleRecord.quantity(Names.systolic, 120, "mmHg", from: 5),
            SampleRecord.quantity(Names.diastolic, 80, "mmHg", from: 5),
        ]
        try store.engine.save(
            [
                .sample(.quantity(Names.systolic, 110, "mmHg", from: 1)),
                .object(ObjectRecord(uuid: pressure, type: Names.bloodPressure, start: 5, end: 5, members: members)),
            ], as: Names.journal)
        #expect(try values(store, .noCorrelation, of: Names.systolic) == [110])
        #expect(try values(store, .not(.noCorrelation), of: Names.systolic) == [120])
        #expect(try values(store, .memberOf(pressure), of: Names.systolic) == [120])
        #expect(try values(store, .memberOf(UUID()), of: Names.systolic).isEmpty)
        let request = SampleRequest(parts: [.init(type: Names.bloodPressure)])
        let found = try store.engine.samples(request, as: Names.journal)
        #expect(found.objects.first?.members.map(\.value) == [120, 80])
        #expect(found.objects.first?.uuid == pressure)
    }

    @Test func workoutFields() throws {
        let store = try TestStore()
        let distance = WorkoutBody.Statistics(
            type: "HKQuantityTypeIdentifierDistanceWalkingRunning", start: 0, end: 100, unit: "km", sum: 5)
        let activity = WorkoutBody.Activity(
            uuid: UUID(), activityType: 37, start: 10, end: 20, duration: 9, statistics: [distance])
        let run = WorkoutBody(
            activityType: 37, duration: 90, totalDistance: QuantityRecord(5, unit: "km"), activities: [activity],
            statistics: [distance])
        let walk = WorkoutBody(activityType: 52, duration: 200)
        for (start, body) in [(0.0, run), (500.0, walk)] {
            try store.engine.save(
                [.object(ObjectRecord(type: Names.workout, start: start, end: start + 100, body: .workout(body)))],
                as: Names.journal)
        }
        func starts(_ filter: SampleFilter) throws -> [Double] {
            let request = SampleRequest(parts: [.init(type: Names.workout, filter: filter)])
            return try store.engine.samples(request, as: Names.journal).found.map(\.start)
        }
        let walking = Names.type("HKQuantityTypeIdentifierDistanceWalkingRunning")
        let far = QuantityRecord(4_000, unit: "m")
        #expect(try starts(.workoutActivityType(.equal, 37)) == [0])
        #expect(try starts(.duration(.lessThan, 100)) == [0])
        #expect(try starts(.workoutTotal(.distance, .greaterThan, far)) == [0])
        #expect(try starts(.workoutTotal(.distance, .lessThan, far)).isEmpty)
        #expect(try starts(.workoutStatistic(type: walking, .sum, .greaterThan, far)) == [0])
        #expect(try starts(.workoutStatistic(type: walking, .average, .greaterThan, far)).isEmpty)
        #expect(try starts(.anyActivity(.and([.start(.greaterThan, 5), .duration(.lessThan, 10)]))) == [0])
        // A workout without activities has one that spans it.
        #expect(try starts(.anyActivity(.workoutActivityType(.equal, 52))) == [500])
        #expect(
            try starts(.anyActivity(.and([.start(.equal, 500), .end(.equal, 600), .duration(.equal, 200)]))) == [500])
        #expect(try starts(.anyActivity(.workoutActivityType(.equal, 13))).isEmpty)
        #expect(try starts(.not(.anyActivity(.all))).isEmpty)
    }

    @Test func workoutFiguresComeFromItsSamplesWhereNoneIsStored() throws {
        let store = try TestStore(pageCapacity: 2)
        let uuid = UUID()
        try store.engine.save(
            [
                .object(
                    ObjectRecord(
                        uuid: uuid, type: Names.workout, start: 0, end: 100,
                        body: .workout(WorkoutBody(activityType: 37, duration: 100)))),
                .sample(.quantity(Names.energy, 500, "kcal", from: 10)),
            ], as: Names.journal)
        try store.engine.addMembers(
            [
                .quantity(Names.energy, 10, "kcal", from: 50, to: 60), .quantity(Names.energy, 41.84, "kJ", from: 20),
                .quantity(Names.heartRate, 120, "count/min", from: 30, to: 40),
                .quantity(Names.heartRate, 180, "count/min", from: 60, to: 90),
            ], toObject: uuid, as: Names.journal)
        func isFound(_ type: TypeCode, _ figure: WorkoutStatistic, _ value: Double, _ unit: String) throws -> Bool {
            func count(_ comparison: ComparisonOperator, _ bound: Double) throws -> Int {
                let filter = SampleFilter.workoutStatistic(
                    type: type, figure, comparison, QuantityRecord(bound, unit: unit))
                let request = SampleRequest(parts: [.init(type: Names.workout, filter: filter)])
                return try store.engine.samples(request, as: Names.journal).count
            }
            return try count(.greaterThan, value - 0.001) == 1 && count(.lessThan, value + 0.001) == 1
        }
        #expect(try isFound(Names.energy, .sum, 20, "kcal"))
        #expect(try isFound(Names.heartRate, .minimum, 120, "count/min"))
        #expect(try isFound(Names.heartRate, .maximum, 180, "count/min"))
        #expect(try isFound(Names.heartRate, .average, 165, "count/min"))
        #expect(try !isFound(Names.energy, .average, 10, "kcal"))
        #expect(try !isFound(Names.steps, .sum, 0, "count"))
    }
}
