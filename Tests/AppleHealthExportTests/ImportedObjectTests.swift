import AppleHealthGenerator
import ArchiveTestSupport
import CoreLocation
import Foundation
import Testing

@testable import AppleHealthExport
@testable import HealthKit

/// The objects in an archive of any iOS come through the API as they were.
@Suite struct ImportedObjectTests {
    private static func versions(from first: Int) -> [String] {
        DialectArchive.versions.filter { ArchiveDialect($0)!.major >= first }
    }

    private func store(_ version: String) throws -> (HKHealthStore, GeneratedArchive) {
        let archive = try DialectArchive.of(version)
        let imported = try ImportedStore()
        try imported.run(archive.zip)
        let configuration = HKHealthStore.Configuration(authorization: .allowAll)
        return (
            HKHealthStore(configuration: configuration, engine: imported.engine, availability: DeviceAvailability()),
            archive.contents
        )
    }

    private func all<Sample>(_ predicate: HKSamplePredicate<Sample>, _ store: HKHealthStore) async throws -> [Sample] {
        try await HKSampleQueryDescriptor(predicates: [predicate], sortDescriptors: []).result(for: store)
    }

    @Test("Workouts have their figures, and their routes with every point", arguments: versions(from: 8))
    func workouts(version: String) async throws {
        let (store, contents) = try store(version)
        let dialect = ArchiveDialect(version)!
        let workouts = try await all(.workout(), store)
        #expect(workouts.count == contents.contents["HKWorkoutTypeIdentifier"])
        var (routes, points) = (0, 0)
        for workout in workouts {
            #expect(workout.totalEnergyBurned != nil && workout.duration > 0)
            // A segment is a kilometer, or a half of a workout indoors.
            let segments = Int(workout.totalDistance?.doubleValue(for: .meterUnit(with: .kilo)) ?? 1)
            let events: [HKWorkoutEventType] = [.pause, .resume, .lap] + Array(repeating: .segment, count: segments)
            let types = workout.workoutEvents?.map(\.type).sorted { $0.rawValue < $1.rawValue }
            #expect(types == events)
            // The first form of archives has no metadata.
            let zone = version == "8.0" ? nil : "America/New_York"
            #expect(workout.metadata?[HKMetadataKeyTimeZone] as? String == zone)
            for route in try await all(.workoutRoute(HKQuery.predicateForObjects(from: workout)), store) {
                routes += 1
                #expect(route.startDate == workout.startDate && route.endDate == workout.endDate)
                for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
                    points += 1
                    #expect(
                        (40.5...41).contains(location.coordinate.latitude)
                            && (-74.2...(-73.7)).contains(location.coordinate.longitude))
                    #expect(location.timestamp >= workout.startDate && location.timestamp <= workout.endDate)
                }
            }
        }
        #expect(
            routes == contents.contents["HKWorkoutRouteTypeIdentifier", default: 0] && points == contents.routePoints)
        #expect((points > 0) == (dialect.major >= 12))
    }

    @Test("Electrocardiograms have their voltages", arguments: versions(from: 13))
    func electrocardiograms(version: String) async throws {
        let (store, contents) = try store(version)
        let recordings = try await all(.electrocardiogram(), store)
        #expect(recordings.count == contents.contents["HKDataTypeIdentifierElectrocardiogram"])
        #expect(recordings.map(\.numberOfVoltageMeasurements).reduce(0, +) == contents.voltages)
        #expect(Set(recordings.map(\.classification)) == [.sinusRhythm, .inconclusiveOther])
        for recording in recordings {
            var greatest = 0.0
            for try await measurement in HKElectrocardiogramQueryDescriptor(recording).results(for: store) {
                let quantity = try #require(measurement.quantity(for: .appleWatchSimilarToLeadI))
                greatest = max(greatest, quantity.doubleValue(for: .voltUnit(with: .micro)))
            }
            #expect((900...1_000).contains(greatest))
        }
    }

    @Test("Beats have instants within their list, across midnight too", arguments: versions(from: 12))
    func heartbeats(version: String) async throws {
        let (store, contents) = try store(version)
        let lists = try await all(.heartbeatSeries(), store)
        #expect(lists.count == contents.contents["HKDataTypeIdentifierHeartbeatSeries"])
        var beats = 0
        var zone = Calendar(identifier: .gregorian)
        zone.timeZone = TimeZone(identifier: "America/New_York")!
        var crossings = 0
        for list in lists {
            var last = -1.0
            for try await beat in HKHeartbeatSeriesQueryDescriptor(list).results(for: store) {
                beats += 1
                #expect(beat.timeIntervalSinceStart > last && beat.timeIntervalSinceStart <= 60)
                last = beat.timeIntervalSinceStart
            }
            if !zone.isDate(list.startDate, inSameDayAs: list.startDate + last) { crossings += 1 }
        }
        #expect(beats == contents.beats && crossings > 0)
    }

    @Test("Hearing tests, prescriptions and clinical records are what they were", arguments: versions(from: 12))
    func documents(version: String) async throws {
        let (store, contents) = try store(version)
        let dialect = ArchiveDialect(version)!
        let audiograms = try await all(.audiogram(), store)
        #expect(audiograms.count == contents.contents["HKDataTypeIdentifierAudiogram", default: 0])
        #expect(
            audiograms.allSatisfy {
                $0.sensitivityPoints.count == 6 && $0.sensitivityPoints[4].rightEarSensitivity == nil
            })
        let prescriptions = try await all(.visionPrescription(), store)
        #expect(prescriptions.count == (dialect.major >= 16 ? 2 : 0))
        for prescription in prescriptions {
            switch prescription {
            case let glasses as HKGlassesPrescription:
                #expect(glasses.rightEye?.sphere.doubleValue(for: .diopter()) == -1.25 && glasses.rightEye?.axis != nil)
            case let contacts as HKContactsPrescription:
                #expect(
                    contacts.brand == "Clear & Co"
                        && contacts.leftEye?.baseCurve?.doubleValue(for: .meterUnit(with: .milli)) == 8.6)
            default: Issue.record("another prescription")
            }
        }
        var clinical = 0
        for (type, count) in contents.contents where type.hasPrefix("HKClinicalType") {
            let records = try await all(.sample(type: HKClinicalType(HKClinicalTypeIdentifier(rawValue: type))), store)
                .compactMap { $0 as? HKClinicalRecord }
            #expect(records.count == count, "\(type)")
            #expect(
                records.allSatisfy {
                    !($0.fhirResource?.data.isEmpty ?? true) && $0.fhirResource?.identifier.hasPrefix("res-") == true
                })
            clinical += records.count
        }
        #expect(clinical >= 7)
    }
}
