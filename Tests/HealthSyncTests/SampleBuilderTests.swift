import Foundation
import HealthKit
import HealthTesting
import Testing

@testable import HealthSync

/// HealthKit ends a program for what it would not construct, so a server must not be able to get it there.
@Suite("Samples of a server, for HealthKit")
struct SampleBuilderTests {
    private let builder = SampleBuilder(origin: "person-1", base: 0)

    private func received(
        _ members: String, uuid: UUID = UUID(), sequence: String = "1"
    ) throws -> ReceivedSample {
        let json = """
            {"uuid":"\(uuid.uuidString)","source":"Page","bundleIdentifier":"org.example.page",\
            "sequence":\(sequence),\(members)}
            """
        return try SyncCoding.decoder().decode(ReceivedSample.self, from: Data(json.utf8))
    }

    @Test("Of a workout’s events those remain that HealthKit takes, within the workout")
    func workouts() throws {
        let received = try received(
            #"""
            "type":"HKWorkoutTypeIdentifier","startDate":0.3,"endDate":0.9,"workoutActivityType":5000,"duration":0.6,
            "workoutEvents":[
                {"type":2,"startDate":0.3,"endDate":0.3},{"type":99,"startDate":0.3,"endDate":0.3},
                {"type":7,"startDate":0.3,"endDate":0.9},{"type":1,"startDate":0.4,"endDate":0.5},
                {"type":4,"startDate":0.4,"endDate":7}]
            """#)
        // 0.3 and the difference are more than 0.9 in binary.
        #expect(0.3 + (0.9 - 0.3) > 0.9)
        let workout = try #require(try builder.sample(received, of: .workoutType()) as? HKWorkout)
        #expect(workout.workoutActivityType == .other)
        #expect(workout.workoutEvents?.map(\.type) == [.segment, .pause])
        #expect(workout.workoutEvents?.allSatisfy { $0.dateInterval.end <= workout.endDate } == true)
    }

    @Test("A state of mind of an unknown kind is not constructed, and unknown labels are left out")
    func statesOfMind() throws {
        func received(kind: Int) throws -> ReceivedSample {
            try self.received(
                #""type":"HKDataTypeStateOfMind","startDate":0,"endDate":0,"#
                    + #""fields":{"kind":\#(kind),"valence":0.5,"labels":[99,5],"associations":[-1]}"#)
        }
        let state = try #require(
            try builder.sample(try received(kind: 1), of: HKObjectType.stateOfMindType()) as? HKStateOfMind)
        #expect(state.labels.map(\.rawValue) == [5] && state.associations == [])
        let unknown = try received(kind: 3)
        #expect(throws: SampleBuildError.self) {
            try builder.sample(unknown, of: HKObjectType.stateOfMindType())
        }
    }

    @Test("The objects of a correlation that is rejected are written by themselves")
    func objects() async throws {
        let types = [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)]
        let identities = types.map { _ in UUID() }
        let texts = types.map { type in
            #""type":"\#(type.identifier)","startDate":5,"endDate":5,"quantity":80,"unit":"mmHg""#
        }
        let objects = zip(identities, texts).map { uuid, text in #"{"uuid":"\#(uuid.uuidString)",\#(text)}"# }
        let whole = try received(
            #""type":"HKCorrelationTypeIdentifierBloodPressure","startDate":9,"endDate":5,"#
                + #""objects":[\#(objects.joined(separator: ","))]"#)
        let parts = try zip(texts, identities).map { text, uuid in try received(text, uuid: uuid) }
        let written: Set<HKSampleType> = [types[0], types[1], HKCorrelationType(.bloodPressure)]
        let writer = SampleWriter(store: TestHealthStore().store, types: written, origin: "person-1")
        var report = SyncReceipt()
        try await writer.write(parts + [whole], base: 0, report: &report)
        #expect(report.samples == 2 && report.rejected.map(\.uuid) == [whole.sample.uuid])
    }

    @Test("A sequence that no store has is not read", arguments: ["-1", "9007199254740992", "9223372036854775807"])
    func sequences(text: String) {
        #expect(throws: DecodingError.self) {
            try received(
                #""type":"HKQuantityTypeIdentifierStepCount","startDate":0,"endDate":0,"quantity":1,"unit":"count""#,
                sequence: text)
        }
    }
}
