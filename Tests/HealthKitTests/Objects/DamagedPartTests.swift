import Foundation
@testable import HealthEngine
@testable import HealthKit
import HealthModel
import HealthStorage
import HealthTesting
import Testing

/// Damaged archives of what ``DamagedArchiveTests`` and ``DamagedHealthRecordTests`` leave out give nothing or
/// something else, and whatever is called on it, the process continues.
@Suite struct DamagedPartTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 0)

    /// Objects that lie in an archive as one record.
    private static func records() -> [NSObject] {
        let pulse = FreshStore.pulse(60)
        let workout = HKWorkout(activityType: .running, start: start, end: start + 60)
        var points = RouteColumns()
        points.append(RouteFixtures.point(0))
        points.append(RouteFixtures.point(1))
        let route = HKWorkoutRoute(
            SampleBase(
                identity: UUID(), context: ObjectContext(type: HKSeriesType.workoutRoute()), start: 0, end: 1),
            fields: points)
        let summary = HKActivitySummary()
        summary.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 5)
        let figures = StatisticsValues(
            average: 1, minimum: 0, maximum: 2, mostRecent: .init(value: 2, start: 5, end: 6), duration: 3)
        let source = SourceRecord(bundleIdentifier: "org.example.a", name: "A")
        return [
            HKStatistics(
                StatisticsBucket(start: 0, end: 10, values: figures, bySource: [source: figures], unit: "count/s"),
                of: FreshStore.heartRate),
            summary, HKQueryAnchor(fromValue: 7), route,
            HKAttachment(
                AttachmentRecord(
                    identifier: UUID(), name: "a.pdf", contentType: "com.adobe.pdf", size: 3, creation: 0,
                    metadata: Metadata([.init(key: "n", value: .integer(1))])), of: UUID()),
            HKWorkoutEffortRelationship(workout: workout, activity: workout.workoutActivities.first, samples: [pulse]),
            HKDeletedObject(
                StoredTombstone(
                    sequence: 1, type: .firstUnknown, uuid: RecordFixtures.givenIdentity, syncIdentifier: "s",
                    syncVersion: 3)),
            HKVerifiableClinicalRecord.card().subject, HKUnit(from: "km/hr"),
            HKQuantity(unit: .meter(), doubleValue: 1.5), FreshStore.steps, FreshStore.sleep, HKCorrelationType(.food),
            HKObjectType.workoutType(), HKSeriesType.heartbeat(), HKCharacteristicType(.bloodType),
            HKObjectType.activitySummaryType(), HKDocumentType(.CDA), HKClinicalType(.allergyRecord),
            HKScoredAssessmentType(.GAD7), HKObjectType.visionPrescriptionType(), HKObjectType.audiogramSampleType(),
            HKObjectType.electrocardiogramType(), HKObjectType.stateOfMindType(),
            HKObjectType.medicationDoseEventType(), HKObjectType.userAnnotatedMedicationType(),
        ]
    }

    /// Objects that lie in an archive as a few values under their own keys.
    private static func values() -> [NSObject] {
        [
            HKBiologicalSexObject(.female), HKBloodTypeObject(.oNegative), HKFitzpatrickSkinTypeObject(.II),
            HKWheelchairUseObject(.no), HKActivityMoveModeObject(.appleMoveTime),
        ]
    }

    private func archivable(_ object: NSObject) -> (any (NSObject & NSSecureCoding).Type)? {
        Swift.type(of: object) as? any (NSObject & NSSecureCoding).Type
    }

    private func use(_ object: NSObject?) {
        guard let object else { return }
        _ = (object.description, object.hash, object.isEqual(object))
        switch object {
        case let statistics as HKStatistics:
            _ = (statistics.mostRecentQuantityDateInterval(), statistics.averageQuantity(), statistics.duration())
            for source in statistics.sources ?? [] { _ = statistics.mostRecentQuantityDateInterval(for: source) }
        case let summary as HKActivitySummary:
            _ = (
                summary.activeEnergyBurned, summary.dateComponents(for: FreshStore.calendar()), summary.activityMoveMode
            )
        case let attachment as HKAttachment: _ = (attachment.contentType, attachment.creationDate, attachment.metadata)
        case let route as HKWorkoutRoute: _ = route.count
        case let relation as HKWorkoutEffortRelationship:
            _ = (relation.workout.allStatistics, relation.activity?.duration, relation.samples?.map(\.description))
        case let subject as HKVerifiableClinicalRecordSubject: _ = (subject.fullName, subject.dateOfBirthComponents)
        case let quantity as HKQuantity: _ = quantity.is(compatibleWith: .meter())
        default: break
        }
    }

    @Test func damagedRecords() throws {
        var random = SplitMix64(seed: 31)
        for object in Self.records() {
            let type = try #require(archivable(object))
            func back(_ record: Data) -> NSObject? { RecordBytesCoder.object(type, in: record) }
            let whole = try #require((object as? any NSObject & NSSecureCoding).map { RecordBytesCoder.bytes(of: $0) })
            #expect(back(whole) == object, "\(type)")
            for _ in 0..<400 {
                var damaged = whole
                damaged[Int(random.next() % UInt64(whole.count))] = UInt8(truncatingIfNeeded: random.next())
                use(back(damaged))
            }
            // Numbers that are none, in every place there is a number.
            let text = String(decoding: whole, as: UTF8.self)
            for number in text.ranges(of: /[:,\[]-?[0-9][0-9.e+-]*/) {
                for odd in ["\"nan\"", "\"inf\"", "\"-inf\"", "-1", "9223372036854775807"] {
                    use(
                        back(
                            Data(
                                text.replacingCharacters(
                                    in: text.index(after: number.lowerBound)..<number.upperBound, with: odd
                                ).utf8)))
                }
            }
            for length in stride(from: 0, to: whole.count, by: 5) {
                #expect(back(whole.prefix(length)) == nil, "\(type)")
            }
        }
    }

    @Test func damagedValues() throws {
        for object in Self.values() {
            let type = try #require(archivable(object))
            let coder = ValuesCoder()
            try #require(object as? any NSSecureCoding).encode(with: coder)
            #expect((type.init(coder: coder) as NSObject?) == object, "\(type)")
            for key in coder.values.keys {
                let missing = ValuesCoder(coder.values)
                missing.values[key] = nil
                #expect((type.init(coder: missing) as NSObject?) == nil, "\(type) without \(key)")
                for odd in ["", "x", "-1", "99999999999999999999", "(", "m^2^2"] as [NSString] {
                    let damaged = ValuesCoder(coder.values)
                    damaged.values[key] = odd
                    use(type.init(coder: damaged))
                }
                for odd in [-1, 99, Int.min] {
                    let damaged = ValuesCoder(coder.values)
                    damaged.values[key] = odd
                    #expect((type.init(coder: damaged) as NSObject?) == nil, "\(type) with \(odd)")
                }
            }
        }
    }

    /// Every class of the module that comes out of archives is among the objects that these tests damage, itself or as a
    /// subclass.
    @Test func noClassIsLeftOut() throws {
        let objects =
            try Self.records() + Self.values() + DamagedArchiveTests.objects() + DamagedHealthRecordTests.objects()
        let classes: [AnyClass] = objects.map { Swift.type(of: $0) }
        var damaged: Set<String> = []
        for start in classes {
            var current: AnyClass? = start
            while let next = current {
                damaged.insert(String(describing: next))
                current = _getSuperclass(next)
            }
        }
        let archived = try Self.archivedClasses()
        #expect(archived.count > 40)
        #expect(archived.subtracting(damaged).isEmpty, "\(archived.subtracting(damaged))")
    }

    /// The names of the classes around each decoder in the module's sources, without descriptors, which contain
    /// predicates that Foundation archives.
    private static func archivedClasses() throws -> Set<String> {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/HealthKit")
        var names: Set<String> = []
        let paths = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        for case let url as URL in paths ?? .init() where url.pathExtension == "swift" {
            let text = try String(contentsOf: url, encoding: .utf8)
            for part in text.components(separatedBy: "init?(coder: NSCoder)").dropLast() {
                let name = part.matches(of: /\n(?:public |open |package |final )*class ([A-Za-z]+)/).last?.1
                if let name { names.insert(String(name)) }
            }
        }
        return names.subtracting(["KeySortDescriptor", "HKQueryDescriptor"])
    }
}

/// A coder that holds texts, numbers and objects under keys.
private final class ValuesCoder: NSCoder {
    var values: [String: Any]

    init(_ values: [String: Any] = [:]) {
        self.values = values
    }

    override var allowsKeyedCoding: Bool { true }
    override func containsValue(forKey key: String) -> Bool { values[key] != nil }
    override func encode(_ object: Any?, forKey key: String) { values[key] = object }
    override func encode(_ value: Int, forKey key: String) { values[key] = value }
    override func encode(_ value: Double, forKey key: String) { values[key] = value }
    override func decodeInteger(forKey key: String) -> Int { values[key] as? Int ?? 0 }
    override func decodeDouble(forKey key: String) -> Double { values[key] as? Double ?? 0 }
    override func decodeObject<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        values[key] as? Object
    }
}
