import Foundation
import HealthKit

/// Converts samples to what a batch contains, and reads what belongs to a sample but is not part of its object: series,
/// locations, voltages, heartbeats and members.
actor SampleReader {
    private let store: HKHealthStore
    private var units = QuantityUnits()
    /// The types of which samples have been seen. Members are sought among them.
    private var memberTypes: Set<HKSampleType> = []

    init(store: HKHealthStore) {
        self.store = store
    }

    /// Makes samples of a type known as possible members of workouts and electrocardiograms.
    func add(memberType: HKSampleType) {
        memberTypes.insert(memberType)
    }

    /// The sample as a batch contains it.
    ///
    /// - Throws: errors of HealthKit from reading series and members.
    func read(_ sample: HKSample) async throws -> SyncSample {
        var result = common(sample)
        switch sample {
        case let sample as HKQuantitySample:
            let unit = units.unit(of: sample.quantity)
            result.quantity = sample.quantity.doubleValue(for: unit)
            result.unit = unit.unitString
            if sample.count > 1 { result.series = try await quantities(of: sample, in: unit) }
        case let sample as HKCategorySample:
            result.value = sample.value
        case let correlation as HKCorrelation:
            result.members = correlation.objects.map(\.uuid).sorted { $0.uuidString < $1.uuidString }
        case let workout as HKWorkout:
            result.workout = SyncWorkout(workout, &units)
            result.members = try await members(
                of: memberTypes, matching: HKQuery.predicateForObjects(from: workout), besides: sample)
        case let route as HKWorkoutRoute:
            result.series = try await locations(of: route)
        case let sample as HKHeartbeatSeriesSample:
            result.series = try await heartbeats(of: sample)
        case let recording as HKElectrocardiogram:
            result.properties = DocumentProperties.electrocardiogramProperties(of: recording, &units)
            result.series = try await voltages(of: recording)
            result.members = try await members(
                of: memberTypes.filter { $0 is HKCategoryType },
                matching: HKQuery.predicateForObjectsAssociated(electrocardiogram: recording), besides: sample)
        case let sample as HKCDADocumentSample:
            result.properties = DocumentProperties.documentProperties(of: try await document(of: sample))
        default:
            result.properties = DocumentProperties.properties(of: sample, &units)
        }
        if result.members?.isEmpty == true { result.members = nil }
        return result
    }

    /// The rings of a day.
    func read(_ summary: HKActivitySummary) -> SyncActivitySummary {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = summary.dateComponents(for: calendar)
        func pad(_ number: Int?, _ width: Int) -> String {
            let text = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        var result = SyncActivitySummary(
            date: "\(pad(day.year, 4))-\(pad(day.month, 2))-\(pad(day.day, 2))",
            activityMoveMode: summary.activityMoveMode.rawValue, isPaused: false)
        if #available(iOS 18.0, watchOS 11.0, *) { result.isPaused = summary.isPaused }
        result.activeEnergyBurned = units.parts(of: summary.activeEnergyBurned)
        result.activeEnergyBurnedGoal = units.parts(of: summary.activeEnergyBurnedGoal)
        result.appleMoveTime = units.parts(of: summary.appleMoveTime)
        result.appleMoveTimeGoal = units.parts(of: summary.appleMoveTimeGoal)
        result.appleExerciseTime = units.parts(of: summary.appleExerciseTime)
        result.appleExerciseTimeGoal = summary.exerciseTimeGoal.map { units.parts(of: $0) }
        result.appleStandHours = units.parts(of: summary.appleStandHours)
        result.appleStandHoursGoal = summary.standHoursGoal.map { units.parts(of: $0) }
        return result
    }

    // MARK: Common properties

    private func common(_ sample: HKSample) -> SyncSample {
        let revision = sample.sourceRevision
        var result = SyncSample(
            uuid: sample.uuid, type: sample.sampleType.identifier, startDate: SyncDate(sample.startDate),
            endDate: SyncDate(sample.endDate), source: revision.source.name,
            bundleIdentifier: revision.source.bundleIdentifier)
        result.sourceVersion = revision.version
        result.productType = revision.productType
        let system = revision.operatingSystemVersion
        if (system.majorVersion, system.minorVersion, system.patchVersion) != (0, 0, 0) {
            result.operatingSystemVersion = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        }
        result.deviceDetails = sample.device.map { SyncDeviceDetails($0) }
        result.metadata = MetadataValues.values(of: sample.metadata, &units)
        return result
    }

    // MARK: Series

    private func quantities(of sample: HKQuantitySample, in unit: HKUnit) async throws -> [String: SyncColumn] {
        let query = HKQuantitySeriesSampleQueryDescriptor(
            predicate: .quantitySample(
                type: sample.quantityType, predicate: HKQuery.predicateForObject(with: sample.uuid)))
        var (starts, ends, values): ([Double], [Double], [Double]) = ([], [], [])
        for try await element in query.results(for: store) {
            starts.append(element.dateInterval.start.timeIntervalSinceReferenceDate)
            ends.append(element.dateInterval.end.timeIntervalSinceReferenceDate)
            values.append(element.quantity.doubleValue(for: unit))
        }
        // The end of an interval is a sum, which may be rounded up beyond the end of the sample.
        let last = sample.endDate.timeIntervalSinceReferenceDate
        return [
            SyncColumn.Quantities.starts: SyncColumn(starts),
            SyncColumn.Quantities.ends: SyncColumn(ends.map { min($0, last) }),
            SyncColumn.Quantities.values: SyncColumn(values),
        ]
    }

    private func voltages(of recording: HKElectrocardiogram) async throws -> [String: SyncColumn]? {
        guard recording.numberOfVoltageMeasurements > 0 else { return nil }
        var (times, volts): ([Double], [Double]) = ([], [])
        for try await measurement in HKElectrocardiogramQueryDescriptor(recording).results(for: store) {
            times.append(measurement.timeSinceSampleStart)
            volts.append(measurement.quantity(for: .appleWatchSimilarToLeadI)?.doubleValue(for: .volt()) ?? .nan)
        }
        return ["times": SyncColumn(times), "voltages.1": SyncColumn(volts)]
    }

    private func heartbeats(of sample: HKHeartbeatSeriesSample) async throws -> [String: SyncColumn] {
        var (offsets, gaps): ([Double], [Double]) = ([], [])
        for try await beat in HKHeartbeatSeriesQueryDescriptor(sample).results(for: store) {
            offsets.append(beat.timeIntervalSinceStart)
            gaps.append(beat.precededByGap ? 1 : 0)
        }
        return ["offsets": SyncColumn(offsets), "gaps": SyncColumn(gaps)]
    }

    private func locations(of route: HKWorkoutRoute) async throws -> [String: SyncColumn] {
        var columns = RouteLocations()
        for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) { columns.append(location) }
        return columns.columns
    }

    /// The document with its data, which queries for samples omit.
    private func document(of sample: HKCDADocumentSample) async throws -> HKCDADocumentSample {
        guard let type = HKObjectType.documentType(forIdentifier: .CDA) else { return sample }
        let predicate = HKQuery.predicateForObject(with: sample.uuid)
        let store = store
        return try await withCheckedThrowingContinuation { continuation in
            store.execute(
                HKDocumentQuery(
                    documentType: type, predicate: predicate, limit: HKObjectQueryNoLimit, sortDescriptors: nil,
                    includeDocumentData: true
                ) { _, documents, isDone, error in
                    // With one matching document there is one call, or a second one without documents.
                    guard isDone else { return }
                    if let error { return continuation.resume(throwing: error) }
                    continuation.resume(returning: documents?.first as? HKCDADocumentSample ?? sample)
                })
        }
    }

    // MARK: Members

    private func members(
        of types: Set<HKSampleType>, matching predicate: NSPredicate, besides owner: HKSample
    ) async throws -> [UUID] {
        guard !types.isEmpty else { return [] }
        let query = HKSampleQueryDescriptor(
            predicates: types.map { HKSamplePredicate.sample(type: $0, predicate: predicate) }, sortDescriptors: [])
        return try await query.result(for: store).map(\.uuid).filter { $0 != owner.uuid }
    }
}
