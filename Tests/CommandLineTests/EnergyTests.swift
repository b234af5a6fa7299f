import Foundation
import Testing

@Suite("hk energy")
struct EnergyTests {
    private let scratch = Scratch()

    private func kilocalories(_ day: [String: Any], _ name: String) -> Double? {
        let quantity = day[name] as? [String: Any]
        return (quantity?["quantity"] as? Double).map { quantity?["unit"] as? String == "kJ" ? $0 / 4.184 : $0 }
    }

    @Test("The demo’s energy balance at noon")
    func table() throws {
        try Expected.expect(try CommandRun(["energy"], store: Demo.shared.store).output, "energy")
        let earlier = try CommandRun(["energy", "--day", "2025-11-15"], store: Demo.shared.store).lines
        #expect(earlier.first?.hasPrefix("2025-11-15  ") == true)
    }

    @Test("An empty store lists what is missing and how to enter it")
    func missing() throws {
        let run = try CommandRun(["energy"], store: scratch.emptyStore())
        #expect(run.status == 0)
        try Expected.expect(run.output, "energy-missing")
        let answer = try #require(try CommandRun(["energy", "--json"], store: scratch.store).objects().first)
        #expect(Set(answer.keys) == ["date", "startDate", "endDate", "consumed", "active", "missing"])
        #expect(answer["missing"] as? [String] == ["weight", "height", "dateOfBirth", "biologicalSex"])
        #expect(answer["endDate"] as? String == "2025-11-16T12:00:00-05:00")
    }

    @Test("The day begins in the requested time zone, or else in the one given at import")
    func zone() throws {
        // In Berlin it is now 18:00, and 22:00 of the day before in New York is 04:00 today.
        _ = try CommandRun(
            ["add", "dietaryEnergyConsumed", "300", "kcal", "--start", "2025-11-15T22:00"], store: scratch.store)
        func answer(_ arguments: [String]) throws -> [String: Any] {
            try #require(try CommandRun(["energy", "--json"] + arguments, store: scratch.store).objects().first)
        }
        #expect(try kilocalories(answer([]), "consumed") == 0)
        let berlin = try answer(["--time-zone", "Europe/Berlin"])
        #expect(kilocalories(berlin, "consumed") == 300 && berlin["endDate"] as? String == "2025-11-16T18:00:00+01:00")
        _ = try CommandRun(
            ["import", scratch.archive("").path, "--time-zone", "Europe/Berlin", "--quiet"], store: scratch.store)
        #expect(try kilocalories(answer([]), "consumed") == 300)
        #expect(try kilocalories(answer(["--time-zone", "America/New_York"]), "consumed") == 0)
        #expect(try CommandRun(["energy", "--time-zone", "Mars"], store: scratch.store).status == 64)
    }

    @Test("Energy has the person’s unit, and there is no balance without food")
    func unit() throws {
        for arguments in [
            ["profile", "--prefer", "activeEnergyBurned=kJ"],
            ["add", "activeEnergyBurned", "100", "kcal", "--start", "2025-11-16T09:00"],
            ["add", "bodyMass", "80", "kg", "--start", "2025-11-01"],
            ["add", "height", "180", "cm", "--start", "2025-11-01"],
            ["profile", "--birth-date", "1985-11-16", "--sex", "male"],
        ] { #expect(try CommandRun(arguments, store: scratch.store).status == 0) }
        let lines = try CommandRun(["energy"], store: scratch.store).lines.map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(lines[0] == ["today", "kJ"] && lines[2] == ["active", "418"] && lines[4] == ["net", "–"])
        let rings = try CommandRun(["rings"], store: scratch.store).output
        #expect(rings.contains("418 kJ"))
    }

    @Test("Net energy is consumed minus active minus resting energy, which is prorated to the time of day")
    func figures() throws {
        for arguments in [
            ["add", "bodyMass", "80", "kg", "--start", "2025-11-01"],
            ["add", "height", "180", "cm", "--start", "2025-11-01"],
            ["profile", "--birth-date", "1985-11-16", "--sex", "male"],
            ["add", "dietaryEnergyConsumed", "600", "kcal", "--start", "2025-11-16T08:00"],
            ["add", "dietaryEnergyConsumed", "900", "kcal", "--start", "2025-11-15T23:00"],
            ["add", "activeEnergyBurned", "418.4", "kJ", "--start", "2025-11-16T09:00"],
        ] { #expect(try CommandRun(arguments, store: scratch.store).status == 0) }
        let run = try CommandRun(["energy", "--json"], store: scratch.store)
        let answer = try #require(try run.objects().first)
        #expect(
            Set(answer.keys) == [
                "date", "startDate", "endDate", "consumed", "active", "resting", "burned", "net", "missing",
            ])
        let aDay: Double = 66.0 + 13.8 * 80 + 5 * 180 - 6.8 * 40
        let resting = aDay / 2
        func figure(_ key: String) -> Double { kilocalories(answer, key) ?? .nan }
        #expect(abs(figure("consumed") - 600) < 1e-9)
        #expect(abs(figure("active") - 100) < 1e-9)
        #expect(abs(figure("resting") - resting) < 1e-9)
        #expect(abs(figure("net") - (500 - resting)) < 1e-9)
        #expect(abs(figure("burned") - (100 + resting)) < 1e-9)
        // At midnight no part of the day has passed.
        let midnight = try CommandRun(["energy", "--json"], store: scratch.store, now: "2025-11-16T00:00:00-05:00")
        #expect(kilocalories(try midnight.objects().first ?? [:], "resting") == 0)
    }
}
