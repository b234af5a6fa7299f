import Foundation
import Testing

@Suite("hk today")
struct TodayTests {
    private let scratch = Scratch()

    @Test("The demo’s day at noon, beside the four weeks before")
    func table() throws {
        let run = try CommandRun(["today"], store: Demo.shared.store)
        #expect(run.errors == "" && run.status == 0)
        try Expected.expect(run.output, "today")
        #expect(run.lines.allSatisfy { $0.count <= 90 })
    }

    @Test("An empty store lists what is missing")
    func empty() throws {
        let run = try CommandRun(["today"], store: try scratch.emptyStore())
        #expect(run.status == 0)
        try Expected.expect(run.output, "today-empty")
    }

    @Test("The figures agree with those of the other commands")
    func agree() throws {
        let store = Demo.shared.store
        let today = try #require(try CommandRun(["today", "--json"], store: store).json() as? [String: Any])
        let steps = try CommandRun(["stats", "stepCount", "--last", "1d", "--json"], store: store).objects()
        #expect((today["steps"] as? [String: Any])?["quantity"] as? Double == steps.first?["sumQuantity"] as? Double)
        let energy = try #require(try CommandRun(["energy", "--json"], store: store).objects().first)
        let balance = try #require(today["energy"] as? [String: Any])
        for name in ["net", "resting", "burned"] {
            #expect(balance[name] as? NSDictionary == energy[name] as? NSDictionary && energy[name] != nil)
        }
        let rings = try CommandRun(["rings", "--json"], store: store).objects()
        #expect((today["rings"] as? [String: Any])?["today"] as? NSDictionary == rings.first as NSDictionary?)
        let nights = try CommandRun(["sleep", "--last", "1d", "--json"], store: store).objects()
        #expect(
            (today["sleep"] as? [String: Any])?["totalTimeAsleep"] as? Double == nights.first?["totalTimeAsleep"]
                as? Double)
        let workouts = try CommandRun(["workouts", "--json"], store: store).objects()
        #expect((today["workout"] as? [String: Any])?["uuid"] as? String == workouts.first?["uuid"] as? String)
        let heart = try #require(today["heartRate"] as? [String: Any])
        let rates = try CommandRun(["stats", "heartRate", "--last", "1d", "--json"], store: store).objects()
        #expect(heart["minimum"] as? Double == rates.first?["minimumQuantity"] as? Double)
    }

    @Test("The day begins in the requested time zone")
    func zone() throws {
        _ = try CommandRun(["add", "stepCount", "10", "count", "--start", "2025-11-15T22:00"], store: scratch.store)
        for (zone, steps) in [("America/New_York", nil), ("Europe/Berlin", 10)] {
            let today =
                try CommandRun(["today", "--time-zone", zone, "--json"], store: scratch.store).json() as? [String: Any]
            #expect((today?["steps"] as? [String: Any])?["quantity"] as? Int == steps)
        }
        #expect(try CommandRun(["today", "--time-zone", "Mars"], store: scratch.store).status == 64)
    }
}
