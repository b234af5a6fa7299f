import Foundation
import HealthEngine
import HealthModel
import HealthImport
import HealthSQL
import HealthStorage
import HealthTesting
import Testing

@testable import HealthFormats

@Suite("Samples as JSON, and back")
struct SampleJSONTests {
    private static let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    private static func write(_ selection: SampleSelection, unit: String? = nil) -> [UInt8] {
        var writer = SampleJSONWriter(selection, timeZone: berlin, options: .init(unit: unit, includesSeries: true))
        writer.add("[")
        writer.write(selection)
        writer.add("]")
        return writer.bytes
    }

    private static func read(_ bytes: [UInt8], _ dictionaries: StoreDictionaries = .init()) throws -> [SaveItem] {
        var reader = SampleJSONReader(dictionaries: dictionaries, timeZone: berlin)
        return try bytes.withUnsafeBufferPointer { try reader.batch($0) }
    }

    private static func objects(_ bytes: [UInt8]) throws -> [[String: Any]] {
        try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]])
    }

    /// Everything in a store, by type.
    private static func everything(_ engine: HealthEngine) throws -> SampleSelection {
        let types = try engine.typeOverview(as: FormatStore.owner).map(\.type.code)
        return try engine.samples(
            SampleRequest(parts: types.map { .init(type: $0) }, sort: [SampleSort(.sequence)]), as: FormatStore.owner)
    }

    private static func items(_ selection: SampleSelection) -> [SaveItem] {
        selection.order.map { reference in
            switch reference {
            case .sample(let batch, let row):
                .sample(
                    selection.batches[Int(batch)].record(
                        at: Int(row), dictionaries: selection.dictionaries, identities: selection.identities))
            case .object(let index): .object(selection.objects[Int(index)])
            }
        }
    }

    @Test("Written objects are read back, one by one")
    func roundTrip() throws {
        let store = try FormatStore()
        var workout = WorkoutBody(
            activityType: 37, duration: 1_700.25, totalEnergyBurned: QuantityRecord(300, unit: "kcal"),
            totalDistance: QuantityRecord(5, unit: "km"))
        workout.events = [
            WorkoutBody.Event(type: 3, start: 10, end: 20, metadata: Metadata([.init(key: "k", value: .double(2))]))
        ]
        workout.activities = [
            WorkoutBody.Activity(
                uuid: UUID(), activityType: 46, locationType: 2, swimmingLocationType: 1,
                lapLength: QuantityRecord(25, unit: "m"),
                start: 5, end: 90, duration: 80,
                statistics: [
                    WorkoutBody.Statistics(
                        type: "HKQuantityTypeIdentifierHeartRate", start: 5, end: 90, unit: "count/min", average: 120,
                        minimum: 90, maximum: 150)
                ])
        ]
        workout.zones = [
            WorkoutZoneRecord(
                type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", boundaries: [100, 120], source: .app,
                durations: [60, 0, 540])
        ]
        let metadata = Metadata([
            .init(key: "a", value: .string("text \"quoted\" 🍎")), .init(key: "b", value: .bool(true)),
            .init(key: "c", value: .integer(5)),
            .init(key: "d", value: .double(5)), .init(key: "e", value: .date(123.456_789)),
            .init(key: "f", value: .quantity(1.5, unit: "mg/dL")),
        ])
        let device = DeviceRecord(
            name: "Watch", manufacturer: "Maker", hardwareVersion: "1,2", udiDeviceIdentifier: "x")
        try store.engine.save(
            [
                .object(
                    ObjectRecord(
                        uuid: UUID(), type: FormatStore.type("HKWorkoutTypeIdentifier"), start: 0.125, end: 100,
                        device: device,
                        metadata: metadata, body: .workout(workout))),
                .sample(
                    SampleRecord(
                        uuid: UUID(), type: FormatStore.quantity("HeartRate"), start: 1.1, end: 1.1, value: -0.0,
                        unit: "count/min",
                        device: device, metadata: metadata)),
                .sample(
                    SampleRecord(
                        type: FormatStore.quantity("HeartRate"), start: 2, end: 2, value: .nan, unit: "count/min")),
                .sample(
                    SampleRecord(
                        type: FormatStore.quantity("HeartRate"), start: 3, end: 3, value: .infinity, unit: "count/min")),
                .object(
                    ObjectRecord(
                        type: FormatStore.type("HKWorkoutRouteTypeIdentifier"), start: 0, end: 2,
                        body: .document(
                            DocumentBody(
                                series: Dictionary(
                                    uniqueKeysWithValues: RouteDocument.Column.allCases.enumerated().map {
                                        ($1.rawValue, [Double($0), 2.5])
                                    }))))),
                .object(
                    ObjectRecord(
                        type: FormatStore.type("HKDataTypeIdentifierHeartbeatSeries"), start: 0, end: 2,
                        body: .document(DocumentBody(series: ["offsets": [0.5, 1.25], "gaps": [0, 1]])))),
            ], as: FormatStore.owner)
        let selection = try Self.everything(store.engine)
        let before = Self.items(selection)
        let after = try Self.read(Self.write(selection), selection.dictionaries)
        #expect(before.count == after.count && before.count > 600)
        for (old, new) in zip(before, after) {
            switch (old, new) {
            case (.sample(let old), .sample(let new)):
                #expect(old.uuid == new.uuid && old.type == new.type)
                #expect(old.start.bitPattern == new.start.bitPattern && old.end.bitPattern == new.end.bitPattern)
                #expect(old.value.bitPattern == new.value.bitPattern || old.value.isNaN && new.value.isNaN)
                #expect(old.unit == new.unit && old.device == new.device)
                #expect(old.revision?.source == new.revision?.source)
                #expect(old.metadata.visible == new.metadata.visible)
            case (.object(let old), .object(let new)):
                #expect(old.uuid == new.uuid && old.type == new.type && old.start == new.start && old.end == new.end)
                #expect(old.body.text == new.body.text)
                #expect(old.metadata.visible == new.metadata.visible && old.device == new.device)
                if selection.dictionaries.type(old.type)?.kind == .correlation {
                    #expect(old.members.map(\.value) == new.members.map(\.value))
                    #expect(old.members.map(\.uuid) == new.members.map(\.uuid))
                }
            default: Issue.record("a sample became an object")
            }
        }
    }

    @Test("A unit converts the quantities it is compatible with")
    func units() throws {
        let store = try FormatStore(count: 1)
        let selection = try store.engine.samples(
            SampleRequest(parts: [.init(type: FormatStore.quantity("BodyTemperature"))]), as: FormatStore.owner)
        let object = try #require(try Self.objects(Self.write(selection, unit: "degC")).first)
        #expect(object["quantity"] as? Double == 37)
        #expect(object["unit"] as? String == "degC")
        #expect(try Self.objects(Self.write(selection, unit: "kg")).first?["unit"] as? String == "degF")
    }

    @Test("Short forms: names, defaults and single samples")
    func shortForms() throws {
        func item(_ text: String) throws -> SaveItem { try #require(try Self.read(Array(text.utf8)).first) }
        guard
            case .sample(let sleep) = try item(
                #"{"type":"sleepAnalysis","startDate":"2025-05-01T23:00","value":"asleepREM"}"#)
        else { throw ReadingFailure() }
        #expect(sleep.value == 5 && sleep.end == sleep.start && sleep.unit.isEmpty)
        guard
            case .sample(let mass) = try item(
                #"[{"type":"bodyMass","startDate":"2025-05-01T08:00:00Z","quantity":80,"unit":"kg","device":"Scale"}]"#)
        else { throw ReadingFailure() }
        #expect(mass.device == DeviceRecord(name: "Scale"))
        guard
            case .object(let workout) = try item(
                #"""
                {"samples":[{"type":"workout","startDate":"2025-05-01T08:00:00Z","endDate":"2025-05-01T08:10:00Z","workoutActivityType":"running",
                 "workoutEvents":[{"type":"pause","startDate":"2025-05-01T08:02:00Z"},{"type":"resume","startDate":"2025-05-01T08:03:00Z"}]}]}
                """#), case .workout(let body) = workout.body
        else { throw ReadingFailure() }
        #expect(body.activityType == 37 && body.duration == 540 && body.events.map(\.type) == [1, 2])
        guard
            case .object(let pressure) = try item(
                #"{"type":"bloodPressure","startDate":"2025-05-01T08:00:00Z","objects":[{"type":"bloodPressureSystolic","quantity":121,"unit":"mmHg"}]}"#
            )
        else { throw ReadingFailure() }
        #expect(pressure.members.first?.start == pressure.start)
    }

    @Test("Escaped names and texts, members in any order, and members that are null are read as plain ones are")
    func spellings() throws {
        let plain =
            #"{"uuid":"68753A44-4D6F-1226-9C60-0050E4C00067","type":"heartRate","startDate":"2025-05-01T08:00:00.250+02:00","endDate":"2025-05-01T06:00:01Z","quantity":61.5,"unit":"count/min"}"#
        let others = [
            plain.replacing("\"type\"", with: #""\u0074ype""#), plain.replacing("heartRate", with: #"heart\u0052ate"#),
            plain.replacing("heartRate", with: "HKQuantityTypeIdentifierHeartRate"),
            plain.replacing("count/min", with: #"count\/min"#),
            plain.replacing("68753A44-4D6F", with: "68753a44-4d6f"),
            plain.replacing("{", with: #"{"source":null,"metadata":{},"#),
            plain.replacing("{", with: #"{"unknown":[{"type":"x"}],"#),
            plain.replacing("2025-05-01T08:00:00.250+02:00", with: "2025-05-01 08:00:00.25"),
            #"{"unit":"count/min","quantity":6.15e1,"endDate":"2025-05-01T06:00:01Z","startDate":"2025-05-01T06:00:00.25Z","type":"heartRate","uuid":"68753A44-4D6F-1226-9C60-0050E4C00067"}"#,
        ]
        func samples(_ text: String) throws -> [SampleRecord] {
            try Self.read(Array(text.utf8)).map { item in
                guard case .sample(let sample) = item else { throw ReadingFailure() }
                return sample
            }
        }
        let wanted = try samples(plain)
        let sample = try #require(wanted.first)
        #expect(sample.value == 61.5 && sample.unit == "count/min" && sample.end - sample.start == 0.75)
        for other in others { #expect(try samples(other) == wanted, "\(other)") }
        let all = "[" + ([plain] + others).joined(separator: ", ") + "]"
        #expect(try samples(all) == Array(repeating: sample, count: others.count + 1))
    }

    @Test(
        "Errors name the sample and the member",
        arguments: [
            (
                #"[{"type":"stepCount","startDate":"2025-05-01","quantity":1,"unit":"count"},{"type":"stepCount","quantity":1,"unit":"count"}]"#,
                1, "startDate"
            ),
            (#"[{"type":"nonsense","startDate":"2025-05-01"}]"#, 0, "type"),
            (#"[{"type":"stepCount","startDate":"soon"}]"#, 0, "startDate"),
            (#"[{"type":"stepCount","startDate":"2025-05-01","quantity":"many","unit":"count"}]"#, 0, "quantity"),
            (#"[{"type":"stepCount","startDate":"2025-05-01","quantity":1,"unit":"parsec!"}]"#, 0, "unit"),
            (#"[{"type":"sleepAnalysis","startDate":"2025-05-01","value":"dreaming"}]"#, 0, "value"),
            (#"[{"type":"bloodPressure","startDate":"2025-05-01","objects":[]}]"#, 0, "objects"),
            (
                #"[{"type":"bloodPressure","startDate":"2025-05-01","objects":[{"type":"bloodPressureSystolic","quantity":1}]}]"#,
                0, "objects[0].unit"
            ),
            (
                #"[{"type":"stepCount","startDate":"2025-05-01","quantity":1,"unit":"count","metadata":{"k":[1]}}]"#, 0,
                "metadata.k"
            ),
            (#"[{"type":"workout","startDate":"2025-05-01"}]"#, 0, "workoutActivityType"), (#"[7]"#, 0, nil),
        ] as [(String, Int, String?)])
    func errors(text: String, index: Int, member: String?) {
        do {
            _ = try Self.read(Array(text.utf8))
            Issue.record("was read")
        } catch let error as SampleReadingError {
            #expect(error.index == index && error.member == member, "\(error)")
        } catch {
            Issue.record("\(error)")
        }
    }

    private struct ReadingFailure: Error {}
}

extension Metadata {
    fileprivate var visible: [String: MetadataValue] {
        Dictionary(
            entries.filter { !$0.key.hasPrefix("_") }.map { ($0.key, $0.value) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension ObjectBody {
    /// The contents as text, in which NaN is equal to itself.
    fileprivate var text: String {
        guard case .document(let document) = self else { return "\(self)" }
        return document.fields.sorted { $0.key < $1.key }.map { "\($0)" }.joined()
            + document.series.sorted { $0.key < $1.key }.map { "\($0)" }.joined()
    }
}
