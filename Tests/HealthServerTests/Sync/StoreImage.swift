import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthStorage
import HealthStorageSQLite

/// Everything in a store that two stores have in common after a sync, one text for each sample, read through the engine
/// and, where a workout is concerned, through HealthKit.
struct StoreImage: Equatable {
    /// Texts by UUID.
    private(set) var objects: [UUID: String] = [:]
    /// UUIDs that occur more than once.
    private(set) var duplicates: Set<UUID> = []
    /// The rings by day.
    private(set) var summaries: [String: String] = [:]

    private static let person = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "org.example.image", name: "Image")),
        permission: .owner)

    /// Reads a store file.
    init(path: String) async throws {
        let engine = try HealthEngine(storage: SQLiteStorage(path: path))
        defer { try? engine.close() }
        let store = HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .file(URL(fileURLWithPath: path)), authorization: .allowAll))
        try await self.init(engine: engine, store: store)
    }

    /// Reads a store through an engine and a connection with all permissions.
    init(engine: HealthEngine, store: HKHealthStore) async throws {
        for type in TypeCatalog.all where type.kind != .characteristic {
            let found = try engine.samples(
                SampleRequest(parts: [.init(type: type.code, filter: .all)]), as: Self.person)
            for batch in found.batches {
                for row in batch.starts.indices {
                    let record = batch.record(at: row, dictionaries: found.dictionaries, identities: found.identities)
                    add(record.uuid, try Self.text(record, type, engine))
                }
            }
            for object in found.objects {
                if type.kind != .workout, type.kind != .activitySummary { add(object.uuid, Self.text(object, type)) }
            }
        }
        for workout in try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(
            for: store)
        {
            add(workout.uuid, try await Self.text(workout, store))
        }
        // A phone computes the summaries that nobody stored, so both stores are asked as applications ask.
        for summary in try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store) {
            let day = summary.dateComponents(for: Calendar(identifier: .gregorian))
            summaries["\(day.year ?? 0)-\(day.month ?? 0)-\(day.day ?? 0)"] = Self.text(summary)
        }
    }

    private mutating func add(_ uuid: UUID?, _ text: String) {
        guard let uuid else { return }
        if objects.updateValue(text, forKey: uuid) != nil { duplicates.insert(uuid) }
    }

    /// The differences between two images, at most a few lines.
    func differences(from other: StoreImage) -> [String] {
        var lines: [String] = []
        for uuid in Set(objects.keys).union(other.objects.keys).sorted(by: { $0.uuidString < $1.uuidString })
        where objects[uuid] != other.objects[uuid] {
            lines.append("\(uuid)\n  \(objects[uuid] ?? "–")\n  \(other.objects[uuid] ?? "–")")
        }
        for day in Set(summaries.keys).union(other.summaries.keys) where summaries[day] != other.summaries[day] {
            lines.append("\(day) \(summaries[day] ?? "–") \(other.summaries[day] ?? "–")")
        }
        return Array(lines.prefix(5))
    }

    // MARK: Texts

    private static func text(_ record: SampleRecord, _ type: TypeDescription, _ engine: HealthEngine) throws -> String {
        var text = "\(type.identifier) \(record.start.bitPattern) \(record.end.bitPattern) \(record.value.bitPattern) "
        text += "\(record.unit) \(source(record.revision, record.device)) \(Self.text(record.metadata))"
        if record.metadata[MetadataKey.seriesCount] != nil, let uuid = record.uuid {
            let series = try engine.quantitySeries(of: [uuid], type: type.code, as: person)[uuid]
            // An interval is a start and a duration in HealthKit, so its end may be rounded.
            text +=
                " \(series?.starts ?? []) \((series?.ends ?? []).map { ($0 * 1_000).rounded() }) \(series?.values ?? [])"
        }
        return text
    }

    private static func text(_ object: ObjectRecord, _ type: TypeDescription) -> String {
        var text = "\(type.identifier) \(object.start.bitPattern) \(object.end.bitPattern) "
        text += "\(source(object.revision, object.device)) \(Self.text(object.metadata)) "
        if case .document(let document) = object.body {
            for (name, value) in document.fields.sorted(by: { $0.key < $1.key }) { text += "\(name)=\(field(value)) " }
            for (name, column) in document.series.sorted(by: { $0.key < $1.key }) {
                text += "\(name)=\(column.map(\.bitPattern)) "
            }
        }
        return text + "\(object.members.compactMap(\.uuid?.uuidString).sorted())"
    }

    private static func field(_ value: FieldValue) -> String {
        switch value {
        case .list(let values): "[\(values.map { field($0) }.joined(separator: ","))]"
        case .record(let values):
            "{\(values.sorted { $0.key < $1.key }.map { "\($0.key):\(field($0.value))" }.joined(separator: ","))}"
        default: "\(value)"
        }
    }

    private static func source(_ revision: SourceRevisionRecord?, _ device: DeviceRecord?) -> String {
        "\(revision.map { "\($0)" } ?? "–") \(device.map { "\($0)" } ?? "–")"
    }

    private static func text(_ metadata: Metadata) -> String {
        metadata.entries.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
    }

    private static func text(_ summary: HKActivitySummary) -> String {
        let values: [HKQuantity?] = [
            summary.activeEnergyBurned, summary.activeEnergyBurnedGoal, summary.appleMoveTime,
            summary.appleExerciseTime,
            summary.exerciseTimeGoal, summary.appleStandHours, summary.standHoursGoal,
        ]
        return values.map(sum).joined(separator: " ") + " \(summary.activityMoveMode.rawValue) \(summary.isPaused)"
    }

    /// A quantity that is computed from samples. The last bits of a sum depend on the pages that the samples are in, so
    /// nine digits are compared.
    private static func sum(_ quantity: HKQuantity?) -> String {
        let parts = quantity?.description.split(separator: " ", maxSplits: 1) ?? []
        guard let number = parts.first.flatMap({ Double($0) }) else { return "–" }
        return String(format: "%.9g ", number) + parts.dropFirst().joined()
    }

    /// A workout as applications see it, with all the samples and routes that belong to it.
    private static func text(_ workout: HKWorkout, _ store: HKHealthStore) async throws -> String {
        let revision = workout.sourceRevision
        var text = "workout \(workout.startDate.timeIntervalSinceReferenceDate.bitPattern) "
        text += "\(workout.endDate.timeIntervalSinceReferenceDate.bitPattern) \(workout.workoutActivityType.rawValue) "
        text +=
            "\(workout.duration) \(revision.source.bundleIdentifier) \(revision.source.name) \(revision.version ?? "–") "
        text +=
            "\(revision.productType ?? "–") \(revision.operatingSystemVersion) \(workout.device?.description ?? "–") "
        text += "\(values(workout.metadata)) "
        text += [
            workout.totalEnergyBurned, workout.totalDistance, workout.totalSwimmingStrokeCount,
            workout.totalFlightsClimbed,
        ]
        .map { $0?.description ?? "–" }.joined(separator: ",")
        text += " \(events(workout.workoutEvents)) \(statistics(workout.allStatistics)) "
        for activity in workout.workoutActivities {
            text += "{\(activity.uuid) \(activity.workoutConfiguration.activityType.rawValue) \(activity.duration) "
            text += "\(activity.startDate.timeIntervalSinceReferenceDate) \(events(activity.workoutEvents)) "
            text += "\(statistics(activity.allStatistics)) \(values(activity.metadata))}"
        }
        var types: [HKSampleType] = []
        for type in TypeCatalog.all {
            switch type.kind {
            case .quantity: types.append(HKQuantityType(HKQuantityTypeIdentifier(rawValue: type.identifier)))
            case .category: types.append(HKCategoryType(HKCategoryTypeIdentifier(rawValue: type.identifier)))
            case .series:
                if let series = HKObjectType.seriesType(forIdentifier: type.identifier) { types.append(series) }
            default: break
            }
        }
        let predicate = HKQuery.predicateForObjects(from: workout)
        let members = try await HKSampleQueryDescriptor(
            predicates: types.map { HKSamplePredicate.sample(type: $0, predicate: predicate) }, sortDescriptors: []
        ).result(for: store)
        return text + " \(members.map(\.uuid.uuidString).sorted())"
    }

    private static func events(_ events: [HKWorkoutEvent]?) -> String {
        (events ?? []).map {
            "\($0.type.rawValue)@\($0.dateInterval.start.timeIntervalSinceReferenceDate) \(values($0.metadata))"
        }.joined(separator: ",")
    }

    private static func statistics(_ statistics: [HKQuantityType: HKStatistics]) -> String {
        statistics.sorted { $0.key.identifier < $1.key.identifier }.map { type, found in
            "\(type.identifier) \(sum(found.sumQuantity())) \(sum(found.averageQuantity())) "
                + "\(found.minimumQuantity()?.description ?? "–") \(found.maximumQuantity()?.description ?? "–")"
        }.joined(separator: ",")
    }

    private static func values(_ metadata: [String: Any]?) -> String {
        (metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
    }
}
