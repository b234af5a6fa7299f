import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthIngest
@testable import HealthAccess
@testable import HealthServer

@Suite struct AutoExportSummaryTests {
    private static let steps = "HKQuantityTypeIdentifierStepCount"
    private static let sleep = "HKCategoryTypeIdentifierSleepAnalysis"

    private static func day(_ qty: Int, day: Int = 6, source: String = "Watch") -> String {
        IngestFixture.metric(
            "step_count", "count", #"{"date":"2026-02-0\#(day) 00:00:00 +0000","qty":\#(qty),"source":"\#(source)"}"#)
    }

    private static func night(_ core: Double) -> String {
        IngestFixture.metric(
            "sleep_analysis", "hr",
            """
            {"date":"2026-02-06","totalSleep":\(core + 2.5),"asleep":0,"core":\(core),"deep":1,"rem":1.5,"awake":0.5,"inBed":8,
            "sleepStart":"2026-02-05 23:00:00 +0100","sleepEnd":"2026-02-06 06:30:00 +0100",
            "inBedStart":"2026-02-05 22:45:00 +0100","inBedEnd":"2026-02-06 06:45:00 +0100","source":"Watch"}
            """)
    }

    @Test func aSecondPostOfADayReplacesTheFirst() async throws {
        try await TestServer.with { server async throws in
            let fixture = IngestFixture(server)
            #expect(try await fixture.post(Self.day(4_000), aggregation: "Days").total("saved") == 1)
            #expect(try await fixture.post(Self.day(4_000), aggregation: "Days").total("alreadyThere") == 1)
            #expect(try await fixture.post(Self.day(9_000), aggregation: "Days").total("replaced") == 1)
            // The devices of a total can change during the day.
            let report = try await fixture.post(Self.day(9_500, source: "Watch|Phone"), aggregation: "Days")
            #expect(report.total("replaced") == 1)
            #expect(report["aggregation"] as? String == "day")
            let samples = try fixture.samples(Self.steps)
            #expect(samples.map(\.value) == [9_500])
            #expect(samples[0].end - samples[0].start == 86_400)
            #expect(samples[0].metadata["HealthAutoExportAggregation"] == .string("day"))
        }
    }

    @Test func summariesAreRecognizedByShapeWithoutAHeader() async throws {
        try await TestServer.with { server async throws in
            let fixture = IngestFixture(server)
            try await fixture.post(Self.day(4_000))
            try await fixture.post(Self.day(5_000))
            #expect(try fixture.samples(Self.steps).map(\.value) == [5_000])
            try await fixture.post(
                IngestFixture.metric(
                    "heart_rate", "bpm", #"{"date":"2026-02-06 10:00:00 +0000","Min":50,"Avg":61.5,"Max":88}"#))
            let rate = try #require(try fixture.samples("HKQuantityTypeIdentifierHeartRate").first)
            #expect(rate.value == 61.5)
            #expect(rate.metadata["HealthAutoExportMinimum"] == .quantity(50, unit: "count/min"))
            #expect(rate.metadata["HealthAutoExportMaximum"] == .quantity(88, unit: "count/min"))
        }
    }

    @Test func mixedEntriesAreDetectedAndNotCountedTwice() async throws {
        try await TestServer.with { server async throws in
            let fixture = IngestFixture(server)
            let single = IngestFixture.metric(
                "step_count", "count", #"{"date":"2026-02-06 10:00:05 +0000","qty":120,"source":"Watch"}"#)
            try await fixture.post(Self.day(4_000), aggregation: "day")
            let mixed = try await fixture.post(single, aggregation: "none")
            #expect(mixed.total("mixed") == 1)
            #expect(mixed.total("saved") == 0)
            #expect(mixed.remarks.contains { $0.contains(Self.steps) })
            #expect(try fixture.samples(Self.steps).map(\.value) == [4_000])
            // The person decides for the single ones.
            #expect(try await fixture.post(single, aggregation: "none", query: "?mixed=replace").total("saved") == 1)
            #expect(try fixture.samples(Self.steps).map(\.value) == [120])
            // And the other way round.
            let total = try await fixture.post(Self.day(4_000), aggregation: "day")
            #expect(total.total("mixed") == 1)
            #expect(try fixture.samples(Self.steps).map(\.value) == [120])
            // Hours beside days are counted twice, too.
            try await fixture.post(Self.day(4_000), aggregation: "day", query: "?mixed=replace")
            let hour = IngestFixture.metric(
                "step_count", "count", #"{"date":"2026-02-06 10:00:00 +0000","qty":700,"source":"Watch"}"#)
            #expect(try await fixture.post(hour, aggregation: "Hours").total("mixed") == 1)
            #expect(try fixture.samples(Self.steps).map(\.value) == [4_000])
            // Another day isn't affected.
            #expect(try await fixture.post(Self.day(1, day: 7), aggregation: "day").total("saved") == 1)
        }
    }

    @Test("A report says in which zone days begin while the time zone of the person isn’t known")
    func timeZone() async throws {
        try await TestServer.with { server async throws in
            let fixture = IngestFixture(server)
            let steps = IngestFixture.metric(
                "step_count", "count", #"{"date":"2026-02-06 10:00:05 +1345","qty":120,"source":"Watch"}"#)
            let remark = try #require(try await fixture.post(steps).remarks.first)
            #expect(remark.contains("offset +1345") && remark.contains("hk profile --time-zone"))
            try server.engine().imports.setMetadata([ImportHistory.timeZoneKey: "Pacific/Chatham"])
            #expect(try await fixture.post(steps).remarks == [])
        }
    }

    @Test func anApplicationReplacesOnlyWhatItSaved() async throws {
        try await TestServer.with { server async throws in
            let fixture = IngestFixture(server)
            let watch = Caller(
                revision: SourceRevisionRecord(
                    source: SourceRecord(bundleIdentifier: "org.example.watch", name: "Watch")),
                permission: .allowAll)
            let start = IngestFixture.instant("2026-02-06 10:00:00 +0000")
            let type = try #require(TypeCatalog.description(for: Self.steps)).code
            try server.engine().save(
                [.sample(SampleRecord(type: type, start: start, end: start + 60, value: 120, unit: "count"))], as: watch
            )
            var application = fixture
            application.client = server.client.with(
                token: try server.token(read: .some(["stepCount"]), share: .some(["stepCount"])))
            let refused = try await application.post(Self.day(4_000), aggregation: "day", query: "?mixed=replace")
            #expect(refused.total("mixed") == 1 && refused.total("saved") == 0)
            #expect(try fixture.samples(Self.steps).map(\.value) == [120])
            // The person decides.
            #expect(
                try await fixture.post(Self.day(4_000), aggregation: "day", query: "?mixed=replace").total("saved") == 1
            )
            #expect(try fixture.samples(Self.steps).map(\.value) == [4_000])
        }
    }

    @Test func hoursAreReplacedOneByOne() async throws {
        try await TestServer.with { server async throws in
            let fixture = IngestFixture(server)
            func hours(_ values: [Int]) -> String {
                IngestFixture.metric(
                    "active_energy", "kcal",
                    values.enumerated().map { #"{"date":"2026-02-06 1\#($0):00:00 +0000","qty":\#($1)}"# }
                        .joined(separator: ","))
            }
            try await fixture.post(hours([10, 20, 30]), aggregation: "hour")
            let report = try await fixture.post(hours([10, 25, 30, 40]), aggregation: "hour")
            #expect(report.total("alreadyThere") == 2)
            #expect(report.total("replaced") == 1)
            #expect(report.total("saved") == 1)
            let samples = try fixture.samples("HKQuantityTypeIdentifierActiveEnergyBurned")
            #expect(samples.map(\.value) == [10, 25, 30, 40])
        }
    }

    @Test func sleepIsReadInBothShapes() async throws {
        try await TestServer.with { server async throws in
            let fixture = IngestFixture(server)
            let stages = [
                ("In Bed", "22:00", "23:00"), ("Core", "23:00", "23:30"), ("Deep", "23:30", "23:40"),
                ("REM", "23:40", "23:50"),
                ("Awake", "23:50", "23:55"),
            ].map {
                #"{"startDate":"2026-02-06 \#($0.1):00 +0000","endDate":"2026-02-06 \#($0.2):00 +0000","qty":1,"value":"\#($0.0)","source":"Watch"}"#
            }.joined(separator: ",")
            let data = IngestFixture.metric("sleep_analysis", "hr", stages)
            #expect(try await fixture.post(data).total("saved") == 5)
            #expect(try await fixture.post(data).total("alreadyThere") == 5)
            #expect(try fixture.samples(Self.sleep).map(\.value) == [0, 3, 4, 5, 2])
        }
    }

    @Test func nightIsReplacedCompletely() async throws {
        try await TestServer.with { server async throws in
            let fixture = IngestFixture(server)
            #expect(try await fixture.post(Self.night(4.5), aggregation: "day").total("saved") == 5)
            #expect(try await fixture.post(Self.night(4.5), aggregation: "day").total("alreadyThere") == 5)
            #expect(try await fixture.post(Self.night(4), aggregation: "day").total("replaced") == 5)
            let samples = try fixture.samples(Self.sleep)
            #expect(samples.count == 5)
            let hours = Dictionary(uniqueKeysWithValues: samples.map { ($0.value, ($0.end - $0.start) / 3_600) })
            #expect(hours == [0: 8, 3: 4, 4: 1, 5: 1.5, 2: 0.5])
            // The night ends on the day it is posted for.
            #expect(samples.allSatisfy { $0.end <= IngestFixture.instant("2026-02-06 06:45:00 +0100") })
        }
    }

    @Test func aNightStaysIfItsReplacementIsNotStored() throws {
        try FaultyIngest.failEverywhere { ingest in
            try ingest.post(Self.night(4.5), aggregation: "day")
        } _: { ingest in
            let tally = try ingest.post(Self.night(4), aggregation: "day")
            #expect(tally.count(.replaced) == 5)
        }
    }

    @Test func aTotalStaysIfNotAllSourcesThatReplaceItAreStored() throws {
        func singles(_ sources: [String]) -> String {
            IngestFixture.metric(
                "step_count", "count",
                sources.map { #"{"date":"2026-02-06 10:00:05 +0000","qty":120,"source":"\#($0)"}"# }.joined(
                    separator: ","))
        }
        try FaultyIngest.failEverywhere { ingest in
            try ingest.post(Self.day(4_000), aggregation: "day")
        } _: { ingest in
            let tally = try ingest.post(
                singles(["Watch", "Phone", "Ring"]), aggregation: "none", replacesOtherKind: true)
            #expect(tally.count(.saved) == 3)
        } check: { ingest in
            let samples = try IngestFixture.samples(Self.steps, in: ingest.engine)
            #expect(samples.map(\.value) == [120, 120, 120])
        }
    }

    @Test func importedSamplesAreNotAddedAgain() async throws {
        try await TestServer.with { server async throws in
            let fixture = IngestFixture(server)
            let type = try #require(TypeCatalog.description(for: Self.steps))
            let start = IngestFixture.instant("2026-02-06 10:00:00 +0000")
            try server.engine().save(
                [.sample(SampleRecord(type: type.code, start: start, end: start + 60, value: 42, unit: "count"))],
                as: Caller(
                    revision: SourceRevisionRecord(
                        source: SourceRecord(bundleIdentifier: "com.apple.health.1", name: "Watch")),
                    permission: .owner))
            let data = IngestFixture.metric(
                "step_count", "count", #"{"date":"2026-02-06 10:00:00 +0000","qty":42,"source":"Watch"}"#)
            #expect(try await fixture.post(data, aggregation: "none").total("alreadyThere") == 1)
            #expect(try fixture.samples(Self.steps).count == 1)
        }
    }
}
