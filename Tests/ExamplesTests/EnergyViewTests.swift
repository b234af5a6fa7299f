import Foundation
import HealthKit
import Testing

@Suite("EnergyView")
struct EnergyViewTests {
    private let store = TestStore()

    private func shown(joules: Double) -> String {
        let formatter = EnergyFormatter()
        formatter.unitStyle = .long
        formatter.isForFoodEnergyUse = true
        formatter.numberFormatter.maximumFractionDigits = 2
        return formatter.string(fromJoules: joules)
    }

    /// Returns the number after a label, in the unit that is printed.
    private func figure(_ label: String, _ run: ProgramRun) -> Double? {
        run.lines.first { $0.hasPrefix(label) }
            .flatMap { $0.dropFirst(label.count).split(separator: " ").first.map { $0.replacing(",", with: "") } }
            .flatMap(Double.init)
    }

    private func fillBody() async throws {
        try fillPerson()
        try await store.health.save([
            TestStore.quantity(.bodyMass, 90, .gramUnit(with: .kilo), at: TestStore.today(8, daysAgo: 30)),
            TestStore.quantity(.bodyMass, 80, .gramUnit(with: .kilo), at: TestStore.today(8, daysAgo: 1)),
            TestStore.quantity(.height, 1.8, .meter(), at: TestStore.today(8, daysAgo: 400)),
        ])
    }

    private func fillPerson() throws {
        let birth = Calendar.noon.date(byAdding: .year, value: -40, to: Date())!
        let parts = Calendar.noon.dateComponents([.year, .month, .day], from: birth)
        try store.profile([
            "--birth-date", String(format: "%04d-%02d-%02d", parts.year!, parts.month!, parts.day!), "--sex", "male",
        ])
    }

    @Test("Reports missing data, one item at a time")
    func missing() async throws {
        func resting() throws -> String? { try store.run("EnergyView").lines.first { $0.hasPrefix("Resting:") } }
        let empty = try store.run("EnergyView")
        #expect(empty.status == 0)
        #expect(
            empty.lines == [
                "Consumed: \(shown(joules: 0))", "Active:   \(shown(joules: 0))",
                "Resting:  unknown, because no weight has been entered", "Net:      unknown",
            ])
        try await store.health.save(TestStore.quantity(.bodyMass, 80, .gramUnit(with: .kilo), at: TestStore.today(8)))
        #expect(try resting() == "Resting:  unknown, because no height has been entered")
        try await store.health.save(TestStore.quantity(.height, 180, .meterUnit(with: .centi), at: TestStore.today(8)))
        #expect(try resting() == "Resting:  unknown, because the date of birth is not known")
        try store.profile(["--birth-date", "1985-01-31"])
        #expect(try resting() == "Resting:  unknown, because the biological sex is not known")
        try store.profile(["--sex", "female"])
        #expect(try resting()?.contains("unknown") == false)
    }

    @Test("Counts only samples that began today, prorates resting energy, and prints the net energy")
    func figures() async throws {
        try await fillBody()
        try await store.health.save([
            TestStore.quantity(.dietaryEnergyConsumed, 500, .kilocalorie(), at: TestStore.today(8)),
            TestStore.quantity(.dietaryEnergyConsumed, 700, .kilocalorie(), at: TestStore.today(23, daysAgo: 1)),
            TestStore.quantity(.activeEnergyBurned, 200, .jouleUnit(with: .kilo), at: TestStore.today(9), lasting: 600),
            // Began yesterday, so the strict predicate excludes it.
            TestStore.quantity(
                .activeEnergyBurned, 99, .kilocalorie(), at: TestStore.today(23.9, daysAgo: 1), lasting: 900),
        ])
        func resting(_ now: Date) -> Double {
            let aDay: Double = 66.0 + 13.8 * 80 + 5 * 180 - 6.8 * 40
            return aDay * 4_184 * now.timeIntervalSince(TestStore.today(0)) / 86_400
        }
        let before = resting(Date())
        let run = try store.run("EnergyView")
        let after = resting(Date())
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.lines[0] == "Consumed: \(shown(joules: 500 * 4_184))")
        #expect(run.lines[1] == "Active:   \(shown(joules: 200_000))")
        // Joules per printed unit, which is the kilojoule or the kilocalorie, depending on the locale.
        let consumed = try #require(figure("Consumed:", run))
        let scale = 500 * 4_184 / consumed
        let restingJoules = try #require(figure("Resting:", run)) * scale
        #expect(before - 0.01 * scale <= restingJoules && restingJoules <= after + 0.01 * scale)
        let net = try #require(figure("Net:", run)) * scale
        #expect(abs(net - (500 * 4_184 - 200_000 - restingJoules)) < 0.03 * scale)
    }

    @Test("Food, workouts, weights and heights that the program saves change its output")
    func entries() async throws {
        try await fillBody()
        for arguments in [["eat", "Soup", "250"], ["train", "30", "280"], ["weigh", "70"]] {
            let run = try store.run("EnergyView", arguments)
            #expect(run.status == 0)
            #expect(run.output == "")
        }
        let run = try store.run("EnergyView")
        #expect(run.lines[0] == "Consumed: \(shown(joules: 250 * 4_184))")
        #expect(run.lines[1] == "Active:   \(shown(joules: 280 * 4_184))")
        // 10 kg less mean 138 kcal less per day.
        let lighter = try #require(figure("Resting:", run))
        _ = try store.run("EnergyView", ["weigh", "80"])
        let heavier = try #require(figure("Resting:", try store.run("EnergyView")))
        #expect(abs(lighter / heavier - 1_660.0 / 1_798) < 0.001)
        _ = try store.run("EnergyView", ["measure", "160"])
        let shorter = try #require(figure("Resting:", try store.run("EnergyView")))
        #expect(abs(shorter / heavier - 1_698.0 / 1_798) < 0.001)
        _ = try store.run("EnergyView", ["eat", "Bread", "100"])
        #expect(try store.run("EnergyView").lines[0] == "Consumed: \(shown(joules: 350 * 4_184))")
    }

    @Test("Saves a food correlation and a workout with its energy")
    func saved() async throws {
        _ = try store.run("EnergyView", ["eat", "Soup", "250"])
        _ = try store.run("EnergyView", ["train", "30", "280"])
        let foods = try await HKSampleQueryDescriptor(
            predicates: [.sample(type: HKCorrelationType(.food))], sortDescriptors: []
        ).result(for: store.health)
        let food = try #require(foods.first as? HKCorrelation)
        #expect(food.metadata?[HKMetadataKeyFoodType] as? String == "Soup")
        #expect(food.objects.count == 1)
        let workouts = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(
            for: store.health)
        let workout = try #require(workouts.first)
        #expect(workout.workoutActivityType == .running)
        #expect(abs(workout.duration - 1_800) < 1)
        #expect(
            workout.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()?.doubleValue(
                for: .kilocalorie()) == 280)
    }

    @Test("Prints the balance again when another process saves a sample")
    func watch() async throws {
        try fillPerson()
        let program = try RunningProgram("EnergyView", ["watch"], store: store)
        let first = program.lines { $0.hasPrefix("Net:") }
        #expect(first.contains("Consumed: \(shown(joules: 0))"))
        try await store.health.save(
            TestStore.quantity(.dietaryEnergyConsumed, 300, .kilocalorie(), at: TestStore.today(8)))
        let expected = "Consumed: \(shown(joules: 300 * 4_184))"
        #expect(program.lines { $0 == expected }.last == expected)
        try await fillBody()
        #expect(
            program.lines { $0.hasPrefix("Resting:") && !$0.contains("unknown") }.last?.hasPrefix("Resting:") == true)
        #expect(program.end() == 0)
    }

    @Test("The formatter prints food energy in Calories in the United States")
    func formatter() {
        let formatter = EnergyFormatter()
        formatter.unitStyle = .long
        formatter.isForFoodEnergyUse = true
        formatter.numberFormatter.maximumFractionDigits = 2
        formatter.numberFormatter.locale = Locale(identifier: "en_US")
        #expect(formatter.string(fromJoules: 1_046_000) == "250 Calories")
        #expect(formatter.string(fromJoules: 0) == "0 Calories")
        #expect(formatter.string(fromJoules: -123_456) == "-29.51 Calories")
        #expect(formatter.string(fromJoules: 12_345_678) == "2,950.69 Calories")
        #expect(formatter.string(fromValue: 2, unit: HKUnit.energyFormatterUnit(from: .kilocalorie())) == "2 Calories")
    }
}
