import Foundation
import HealthModel
@testable import HealthKit
import Testing

@Suite struct WorkoutSessionMachineTests {
    typealias State = HKWorkoutSessionState

    enum Call: CaseIterable, Sendable {
        case prepare, start, pause, resume, stop, end
    }

    private func machine(in state: State) -> WorkoutSessionMachine {
        var settings = HKWorkoutConfiguration.Settings()
        settings.activityType = HKWorkoutActivityType.swimBikeRun.rawValue
        var machine = WorkoutSessionMachine(configuration: settings)
        if state == .notStarted { return machine }
        if state == .prepared { _ = machine.prepare(at: 1) } else { _ = machine.startActivity(at: 1) }
        if state == .paused { _ = machine.pause(at: 2) }
        if state == .stopped { _ = machine.stopActivity(at: 3) }
        if state == .ended { _ = machine.end(at: 3) }
        return machine
    }

    private func make(_ call: Call, _ machine: inout WorkoutSessionMachine) -> [WorkoutSessionMachine.Action] {
        switch call {
        case .prepare: machine.prepare(at: 10)
        case .start: machine.startActivity(at: 10)
        case .pause: machine.pause(at: 10)
        case .resume: machine.resume(at: 10)
        case .stop: machine.stopActivity(at: 10)
        case .end: machine.end(at: 10)
        }
    }

    /// An action in one word.
    private func word(_ action: WorkoutSessionMachine.Action) -> String {
        switch action {
        case .claim: "claim"
        case .changed(let next, let last, let instant): "\(last.rawValue)>\(next.rawValue)@\(Int(instant))"
        case .event(let event): "event\(event.type)@\(Int(event.start))"
        case .began(let activity): "began\(activity.activityType)@\(Int(activity.start))"
        case .ended(let activity): "ended\(activity.activityType)@\(Int(activity.end ?? -1))"
        case .failed(let code, _): "failed\(code.rawValue)"
        case .release: "release"
        }
    }

    /// The effect of each call in each state; a dash is none.
    private static let table: [(State, [String])] = [
        (.notStarted, ["claim 1>5@10", "claim 1>2@10", "-", "-", "-", "1>3@10"]),
        (.prepared, ["-", "5>2@10", "-", "-", "-", "5>3@10 release"]),
        (.running, ["-", "-", "2>4@10 event1@10", "-", "2>6@10", "2>3@10 release"]),
        (.paused, ["-", "-", "-", "4>2@10 event2@10", "4>6@10", "4>3@10 release"]),
        (.stopped, ["-", "failed3", "-", "-", "-", "6>3@3 release"]),
        (.ended, ["-", "failed3", "-", "-", "-", "-"]),
    ]

    @Test(arguments: table.map(\.0), Call.allCases)
    func everyCallInEveryState(state: State, call: Call) throws {
        let expected = try #require(Self.table.first { $0.0 == state })
            .1[try #require(Call.allCases.firstIndex(of: call))]
        var machine = machine(in: state)
        let words = make(call, &machine).map(word).joined(separator: " ")
        #expect((words.isEmpty ? "-" : words) == expected)
        if let change = expected.split(separator: " ").first(where: { $0.contains(">") }) {
            #expect("\(machine.state.rawValue)" == change.split(separator: ">")[1].prefix(1))
        } else {
            #expect(machine.state == state)
        }
    }

    @Test func datesAreThoseOfStartAndStop() {
        var machine = machine(in: .running)
        #expect(machine.start == 1 && machine.end == nil)
        #expect(machine.stopActivity(at: 0).map(word) == ["failed3"])
        #expect(machine.state == .running)
        _ = machine.stopActivity(at: 5)
        _ = machine.end(at: 9)
        #expect(machine.end == 5)
    }

    @Test func aNewActivityEndsTheOneBefore() {
        var machine = machine(in: .running)
        var swim = HKWorkoutConfiguration.Settings()
        swim.activityType = HKWorkoutActivityType.swimming.rawValue
        var ride = swim
        ride.activityType = HKWorkoutActivityType.cycling.rawValue
        var yoga = swim
        yoga.activityType = HKWorkoutActivityType.yoga.rawValue
        #expect(machine.beginActivity(swim, metadata: .empty, at: 2).map(word) == ["began46@2"])
        #expect(machine.currentActivity.activityType == 46)
        #expect(machine.beginActivity(yoga, metadata: .empty, at: 3).map(word) == ["failed12"])
        #expect(machine.beginActivity(ride, metadata: .empty, at: 1).map(word) == ["failed3"])
        #expect(machine.beginActivity(ride, metadata: .empty, at: 5).map(word) == ["ended46@5", "began13@5"])
        #expect(machine.endCurrentActivity(at: 4).map(word) == ["failed3"])
        #expect(machine.endCurrentActivity(at: 6).map(word) == ["ended13@6"])
        #expect(machine.endCurrentActivity(at: 7).isEmpty)
        #expect(machine.currentActivity.activityType == 82)
        #expect(machine.beginActivity(swim, metadata: .empty, at: 8).map(word) == ["began46@8"])
        #expect(machine.stopActivity(at: 9).map(word) == ["ended46@9", "2>6@9"])
        #expect(machine.beginActivity(swim, metadata: .empty, at: 10).map(word) == ["failed3"])
    }

    @Test func anErrorIsReportedBeforeTheEnd() {
        var machine = machine(in: .paused)
        #expect(
            machine.fail(.errorAnotherWorkoutSessionStarted, "", at: 8).map(word) == ["failed8", "4>3@8", "release"])
        #expect(machine.fail(.errorAnotherWorkoutSessionStarted, "", at: 9).isEmpty)
        var fresh = self.machine(in: .notStarted)
        #expect(fresh.fail(.errorAnotherWorkoutSessionStarted, "", at: 9).isEmpty)
    }

    @Test func aRecordRoundTrips() throws {
        let machine = machine(in: .paused)
        let back = try JSONDecoder().decode(WorkoutSessionMachine.self, from: JSONEncoder().encode(machine))
        #expect(back.state == .paused && back.start == 1 && back.configuration == machine.configuration)
        #expect(back.currentActivity.uuid == machine.currentActivity.uuid)
    }
}
