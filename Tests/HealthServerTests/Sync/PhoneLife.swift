import CoreLocation
import Foundation
import HealthKit
import HealthModel
import HealthTesting

/// Events on a phone: several sources save samples of every family, add to workouts later, replace versions and
/// delete. The same seed makes the same life.
final class PhoneLife {
    private let store: HKHealthStore
    private let tracker: HKHealthStore
    private let watchStore: HKHealthStore
    private var random: SplitMix64
    private var workouts: [HKWorkout] = []
    private var recordings: [HKElectrocardiogram] = []
    private var saved: [HKObject] = []
    private var versions: [String: Int] = [:]
    private var day = 0

    private static let watch = SourceRevisionRecord(
        source: SourceRecord(bundleIdentifier: "com.apple.health.WATCH", name: "Anna’s Apple Watch"), version: "11.2",
        productType: "Watch7,2", operatingSystemVersion: OperatingSystemVersionRecord(major: 11, minor: 2))
    private static let device = HKDevice(
        name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch7,2",
        firmwareVersion: nil, softwareVersion: "11.2", localIdentifier: "local", udiDeviceIdentifier: nil)

    /// - Parameters:
    ///   - store: A connection to the phone's store with all permissions.
    ///   - connection: Another connection to the same store, for an application with a bundle identifier.
    init(store: HKHealthStore, seed: UInt64, connection: (String) -> HKHealthStore) {
        self.store = store
        tracker = connection("org.example.tracker")
        watchStore = connection(Self.watch.source.bundleIdentifier)
        random = SplitMix64(seed: seed)
    }

    /// Something happens.
    func step() async throws {
        day += 1
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: try await steps()
        case 2, 3: try heartRates()
        case 4: try await logSleep()
        case 5: try await bloodPressure()
        case 6: try await meal()
        case 7: try await versionedWeight()
        case 8: try await workout()
        case 9: try await lateRoute()
        case 10: try await lateSamples()
        case 11: try recording()
        case 12: try await series()
        case 13: try await documents()
        case 14: try summary()
        default: try await delete()
        }
    }

    /// One of everything.
    func fullDay() async throws {
        day += 1
        try await steps()
        try heartRates()
        try await logSleep()
        try await bloodPressure()
        try await meal()
        try await versionedWeight()
        try await workout()
        try await lateRoute()
        try await lateSamples()
        try recording()
        try await series()
        try await documents()
        try summary()
    }

    // MARK: Values

    private var start: Date {
        Date(
            timeIntervalSinceReferenceDate: 790_000_000 + Double(day) * 43_200
                + Double.random(in: 0..<40_000, using: &random))
    }

    private func quantity(_ value: Double, _ unit: String) -> HKQuantity {
        HKQuantity(unit: HKUnit(from: unit), doubleValue: value)
    }

    private func number(_ range: Range<Double>) -> Double { Double.random(in: range, using: &random) }

    private func metadata() -> [String: Any]? {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: nil
        case 1: [HKMetadataKeyWasUserEntered: true, HKMetadataKeyTimeZone: "Europe/Berlin"]
        case 2:
            [
                "org.example.date": start, "org.example.count": 3, "org.example.whole": NSNumber(value: 2.0),
                HKMetadataKeyElevationAscended: quantity(number(0..<100), "m"),
            ]
        default:
            [HKMetadataKeyExternalUUID: "x\(day)", "org.example.fraction": number(0..<1), "org.example.flag": false]
        }
    }

    // MARK: Samples

    private func steps() async throws {
        let first = start
        var samples: [HKQuantitySample] = []
        for index in 0..<Int.random(in: 1..<20, using: &random) {
            let begin = first + Double(index) * 60
            samples.append(
                HKQuantitySample(
                    type: HKQuantityType(.stepCount), quantity: quantity(number(1..<200).rounded(), "count"),
                    start: begin,
                    end: begin + 59.5, device: index % 2 == 0 ? .local() : nil, metadata: metadata()))
        }
        try await tracker.save(samples)
        saved += samples
    }

    private func heartRates() throws {
        let first = start
        var samples: [HKQuantitySample] = []
        for index in 0..<12 {
            let date = first + Double(index) * 5
            samples.append(
                HKQuantitySample(
                    type: HKQuantityType(.heartRate), quantity: quantity(number(50..<180), "count/min"), start: date,
                    end: date, metadata: [HKMetadataKeyHeartRateMotionContext: index % 3]))
        }
        try store.plant(samples, as: Self.watch, device: Self.device)
    }

    private func logSleep() async throws {
        let begin = start
        var samples: [HKCategorySample] = []
        for index in 0..<4 {
            let from = begin + Double(index) * 1_800
            samples.append(
                HKCategorySample(
                    type: HKCategoryType(.sleepAnalysis), value: 2 + index % 4, start: from, end: from + 1_800,
                    metadata: metadata()))
        }
        try await tracker.save(samples)
        saved += samples
    }

    private func bloodPressure() async throws {
        let date = start
        func part(_ type: HKQuantityTypeIdentifier, _ value: Double) -> HKQuantitySample {
            HKQuantitySample(type: HKQuantityType(type), quantity: quantity(value, "mmHg"), start: date, end: date)
        }
        let correlation = HKCorrelation(
            type: HKCorrelationType(.bloodPressure), start: date, end: date,
            objects: [part(.bloodPressureSystolic, number(100..<140)), part(.bloodPressureDiastolic, number(60..<90))],
            metadata: metadata())
        try await tracker.save(correlation)
        saved.append(correlation)
    }

    private func meal() async throws {
        let date = start
        let objects: Set<HKSample> = [
            HKQuantitySample(
                type: HKQuantityType(.dietaryEnergyConsumed), quantity: quantity(number(50..<900), "kJ"), start: date,
                end: date),
            HKQuantitySample(
                type: HKQuantityType(.dietaryProtein), quantity: quantity(number(1..<40), "g"), start: date, end: date),
        ]
        try await store.save(
            HKCorrelation(
                type: HKCorrelationType(.food), start: date, end: date, objects: objects,
                metadata: [HKMetadataKeyFoodType: "Porridge"]))
    }

    /// A new weight, or a newer version of one that replaces it.
    private func versionedWeight() async throws {
        let name = "weight\(Int.random(in: 0..<5, using: &random))"
        let version = (versions[name] ?? 0) + 1
        versions[name] = version
        try await tracker.save(
            HKQuantitySample(
                type: HKQuantityType(.bodyMass), quantity: quantity(number(50..<90), version % 2 == 0 ? "lb" : "kg"),
                start: start, end: start + 100_000,
                metadata: [HKMetadataKeySyncIdentifier: name, HKMetadataKeySyncVersion: version]))
    }

    // MARK: Workouts

    private func workout() async throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        configuration.locationType = .outdoor
        let begin = start
        let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: .local())
        try await builder.beginCollection(at: begin)
        var samples: [HKSample] = []
        for index in 0..<6 {
            let from = begin + Double(index) * 60
            samples.append(
                HKQuantitySample(
                    type: HKQuantityType(.activeEnergyBurned), quantity: quantity(number(1..<9), "kcal"), start: from,
                    end: from + 60))
        }
        try await builder.addSamples(samples)
        try await builder.addWorkoutEvents([
            HKWorkoutEvent(
                type: .lap, dateInterval: DateInterval(start: begin + 60, duration: 120),
                metadata: ["org.example.lap": 1]),
            HKWorkoutEvent(type: .pause, dateInterval: DateInterval(start: begin + 200, duration: 0), metadata: nil),
            HKWorkoutEvent(type: .resume, dateInterval: DateInterval(start: begin + 230, duration: 0), metadata: nil),
        ])
        try await builder.addMetadata([HKMetadataKeyIndoorWorkout: false])
        try await builder.endCollection(at: begin + 600)
        if let workout = try await builder.finishWorkout() { workouts.append(workout) }
    }

    /// The route of an earlier workout.
    private func lateRoute() async throws {
        guard let workout = workouts.randomElement(using: &random) else { return }
        let builder = HKWorkoutRouteBuilder(healthStore: store, device: .local())
        var locations: [CLLocation] = []
        for index in 0..<20 {
            let coordinate = CLLocationCoordinate2D(latitude: 52 + number(0..<0.1), longitude: 13 + number(0..<0.1))
            locations.append(
                CLLocation(
                    coordinate: coordinate, altitude: number(30..<60), horizontalAccuracy: 5, verticalAccuracy: 3,
                    course: number(0..<360), courseAccuracy: 2, speed: number(0..<5), speedAccuracy: 0.5,
                    timestamp: workout.startDate + Double(index) * 3.7))
        }
        try await builder.insertRouteData(locations)
        _ = try await builder.finishRoute(with: workout, metadata: ["org.example.route": day])
    }

    /// Samples added to an earlier workout.
    private func lateSamples() async throws {
        guard let workout = workouts.randomElement(using: &random) else { return }
        let begin = workout.startDate + number(0..<300)
        try await store.addSamples(
            [
                HKQuantitySample(
                    type: HKQuantityType(.distanceWalkingRunning), quantity: quantity(number(10..<900), "m"),
                    start: begin,
                    end: begin + 60),
                HKCategorySample(type: HKCategoryType(.mindfulSession), value: 0, start: begin, end: begin + 30),
            ], to: workout)
    }

    // MARK: Series and documents

    private func recording() throws {
        var volts: [Double] = []
        for index in 0..<256 { volts.append(index == 5 ? .nan : number(-0.001..<0.001)) }
        let recording = HKElectrocardiogram.testing(
            volts: volts, frequency: 512, start: start, classification: .sinusRhythm, symptomsStatus: .present,
            averageHeartRate: 61.5)
        try store.plant([recording], as: Self.watch, device: Self.device)
        recordings.append(recording)
    }

    private func series() async throws {
        let begin = Date(timeIntervalSinceReferenceDate: start.timeIntervalSinceReferenceDate.rounded())
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: store, quantityType: HKQuantityType(.heartRate), startDate: begin, device: .local())
        for index in 0..<8 {
            try builder.insert(quantity(number(60..<120), "count/min"), at: begin + Double(index) * 4)
        }
        _ = try await builder.finishSeries(metadata: ["org.example.series": true], endDate: begin + 32)
        let beats = HKHeartbeatSeriesBuilder(healthStore: store, device: .local(), start: start)
        for index in 1..<10 {
            try await beats.addHeartbeat(at: Double(index) * 0.8125, precededByGap: index == 4)
        }
        _ = try await beats.finishSeries()
        if let recording = recordings.randomElement(using: &random) {
            try await watchStore.associate(
                [
                    HKCategorySample(
                        type: HKCategoryType(.dizziness), value: 2, start: recording.startDate, end: recording.endDate)
                ],
                with: recording)
        }
    }

    private func documents() async throws {
        let point = try HKAudiogramSensitivityPoint(
            frequency: quantity(250, "Hz"),
            tests: [
                HKAudiogramSensitivityTest(
                    sensitivity: quantity(-5, "dBHL"), type: .air, masked: true, side: .right,
                    clampingRange: HKAudiogramSensitivityPointClampingRange(lowerBound: -5, upperBound: 90))
            ])
        let lens = HKGlassesLensSpecification(
            sphere: quantity(-2.25, "D"), cylinder: quantity(-0.5, "D"), axis: quantity(90, "deg"), addPower: nil,
            vertexDistance: quantity(12, "mm"),
            prism: HKVisionPrism(amount: quantity(2, "pD"), angle: quantity(90, "deg"), eye: .right),
            farPupillaryDistance: quantity(31, "mm"), nearPupillaryDistance: nil)
        let objects: [HKObject] = [
            HKStateOfMind(
                date: start, kind: .dailyMood, valence: 1, labels: [.calm, .happy], associations: [.family]),
            HKGAD7Assessment(date: start, answers: Array(repeating: .severalDays, count: 7)),
            HKPHQ9Assessment(date: start, answers: Array(repeating: .nearlyEveryDay, count: 8) + [.preferNotToAnswer]),
            HKAudiogramSample(
                sensitivityPoints: [point], start: start, end: start + 100_000, metadata: ["HKTimeZone": "UTC"]),
            HKGlassesPrescription(
                rightEyeSpecification: lens, leftEyeSpecification: nil, dateIssued: start,
                expirationDate: start + 86_400 * 365, device: nil, metadata: nil),
        ]
        try await tracker.save(objects)
        saved += objects
        try store.plant(
            [
                HKClinicalRecord.testing(
                    HKClinicalType(.immunizationRecord), displayName: "Measles vaccine", date: start,
                    resource: .testing(
                        .immunization, identifier: "i\(day)", json: #"{"resourceType":"Immunization"}"#,
                        sourceURL: URL(string: "https://hospital.example.org/\(day)")))
            ], as: Self.watch, device: nil)
    }

    private func summary() throws {
        let summary = HKActivitySummary.testing(
            DateComponents(year: 2026, month: 1, day: 1 + day % 28), activeEnergy: (number(0..<600), 500),
            exercise: (number(0..<60), 30), standHours: (number(0..<16).rounded(), 12))
        // Later summaries of a day count.
        try store.plant([summary], as: Self.watch)
    }

    // MARK: Deletions

    private func delete() async throws {
        guard !saved.isEmpty else { return }
        let doomed = (0..<min(3, saved.count)).map { _ in
            saved.remove(at: Int.random(in: saved.indices, using: &random))
        }
        let objects = doomed.flatMap { object in
            (object as? HKCorrelation).map { [object] + Array($0.objects) } ?? [object]
        }
        try await tracker.delete(objects)
        if Int.random(in: 0..<4, using: &random) == 0, !workouts.isEmpty {
            try await store.delete(workouts.remove(at: Int.random(in: workouts.indices, using: &random)))
        }
    }
}
