import HealthEngine
import HealthImport
import HealthModel
import Testing

/// Activity summaries: live values, goals, and imported days.
@Suite struct ActivitySummariesTests {
    private static let day = 86_400.0
    /// Three days in a row, from the first of January on.
    private static let days = (0..<3).map {
        SummaryDay(
            day: Profile.Day(year: 2024, month: 1, day: $0 + 1), start: Double($0) * day, end: Double($0 + 1) * day)
    }

    private func imported(_ day: Int, _ change: (inout ActivitySummaryBody) -> Void) -> BulkBatch {
        var body = ActivitySummaryBody(year: 2024, month: 1, day: day)
        change(&body)
        return BulkBatch(objects: [
            ObjectRecord(
                type: Names.summary, start: 0, end: 0, revision: Names.phone.revision, body: .activitySummary(body))
        ])
    }

    private func stand(_ hour: Int, _ value: Double) -> SaveItem {
        let start = Double(hour) * 3_600
        return .sample(SampleRecord(type: Names.standHour, start: start, end: start + 3_600, value: value))
    }

    @Test func valuesAreComputedFromSamples() throws {
        let store = try TestStore(pageCapacity: 2)
        // Energy of watch and phone overlaps; the first walk crosses midnight into the second day.
        try store.engine.save(
            [
                .sample(.quantity(Names.energy, 100, "kcal", from: Self.day - 100, to: Self.day + 100)),
                .sample(.quantity(Names.energy, 418.4, "kJ", from: Self.day + 500)),
                .sample(.quantity(Names.exercise, 1, "min", from: 100, to: 160)),
                .sample(.quantity(Names.exercise, 2, "min", from: 160, to: 280)),
                stand(8, 0), stand(9, 1), stand(10, 0), stand(24, 1),
            ], as: Names.watch)
        try store.engine.save(
            [.sample(.quantity(Names.energy, 100, "kcal", from: Self.day - 100, to: Self.day)), stand(10, 0)],
            as: Names.phone)
        let found = try store.engine.activitySummaries(Self.days, as: Names.journal)
        #expect(found.map(\.day) == [1, 2])
        #expect(found[0].activeEnergyBurned == QuantityRecord(50, unit: "kcal"))
        #expect(found[0].appleExerciseTime == QuantityRecord(3, unit: "min"))
        #expect(found[0].appleStandHours == QuantityRecord(2, unit: "count"))
        #expect(found[0].appleMoveTime == nil && found[0].activeEnergyBurnedGoal == nil)
        let second = try #require(found[1].activeEnergyBurned)
        #expect(abs(second.value - 150) < 1e-9 && second.unit == "kcal")
        #expect(found[1].appleStandHours?.value == 0 && found[1].appleExerciseTime == nil)
        let times = try store.engine.summaryTimes(as: Names.journal)
        #expect(
            times.samples.first?.lowerBound == 100 && times.samples.last?.upperBound == 90_000
                && times.importedDays.isEmpty)
    }

    @Test func goalsInForce() throws {
        let store = try TestStore()
        for day in 0..<3 {
            try store.engine.save(
                [.sample(.quantity(Names.energy, 1, "kcal", from: Double(day) * Self.day))], as: Names.watch)
        }
        try store.engine.profile.update { profile in
            profile.activityMoveMode = 2
            profile.goals = [
                ActivityGoals(from: Self.days[1].day, moveEnergy: 400, exercise: 30),
                ActivityGoals(from: Self.days[2].day, moveEnergy: 500, stand: 12),
            ]
        }
        let found = try store.engine.activitySummaries(Self.days, as: Names.watch)
        #expect(found.map(\.activeEnergyBurnedGoal?.value) == [nil, 400, 500])
        #expect(found.map(\.appleExerciseTimeGoal?.value) == [nil, 30, 30])
        #expect(found.map(\.appleStandHoursGoal?.value) == [nil, nil, 12])
        #expect(found.allSatisfy { $0.moveMode == 2 })
    }

    @Test func importedSummariesGoBeforeSamples() throws {
        let store = try TestStore()
        try store.engine.save([.sample(.quantity(Names.energy, 7, "kcal", from: 50))], as: Names.watch)
        try store.engine.profile.update {
            $0.goals = [ActivityGoals(from: Self.days[0].day, moveEnergy: 400, stand: 10)]
        }
        let run = BulkImport(engine: store.engine)
        for day in [1, 3] {
            _ = try run.commit(
                imported(day) {
                    $0.activeEnergyBurned = QuantityRecord(900, unit: "kcal")
                    $0.activeEnergyBurnedGoal = QuantityRecord(600, unit: "kcal")
                })
        }
        let found = try store.engine.activitySummaries(Self.days, as: Names.watch)
        #expect(found.map(\.day) == [1, 3])
        // The imported value goes before samples, the imported goal before the profile's.
        #expect(found.map(\.activeEnergyBurned?.value) == [900, 900])
        #expect(found.map(\.activeEnergyBurnedGoal?.value) == [600, 600])
        #expect(found.map(\.appleStandHoursGoal?.value) == [10, 10])
        #expect(try store.engine.summaryTimes(as: Names.watch).importedDays == [Self.days[0].day, Self.days[2].day])
        // The imported objects themselves are found by day.
        let request = SampleRequest(parts: [.init(type: Names.summary, filter: .summaryDay(.equal, 20240103))])
        #expect(try store.engine.samples(request, as: Names.watch).count == 1)
    }

    /// An imported summary was exported in the evening of its day; another is of a day without a watch.
    @Test func summariesOfUnfinishedDaysAndOfDaysWithoutAWatch() throws {
        for (exported, energy, wanted) in [
            (80_000.0, 900.0, 950.0), (80_000, 970, 970), (90_000, 900, 900), (90_000, 0, 950),
        ] {
            let store = try TestStore()
            try store.engine.save([.sample(.quantity(Names.energy, 950, "kcal", from: 50))], as: Names.watch)
            var batch = imported(1) {
                $0.activeEnergyBurned = QuantityRecord(energy, unit: "kcal")
                $0.activeEnergyBurnedGoal = QuantityRecord(600, unit: "kcal")
            }
            batch.exportDate = exported
            _ = try BulkImport(engine: store.engine).commit(batch)
            let found = try store.engine.activitySummaries(Self.days, as: Names.watch)
            #expect(found.map(\.activeEnergyBurned?.value) == [wanted])
        }
    }

    @Test func goalsStayWhenNoLaterSummaryIsImported() throws {
        let store = try TestStore()
        _ = try BulkImport(engine: store.engine).commit(
            imported(1) { $0.activeEnergyBurnedGoal = QuantityRecord(600, unit: "kcal") })
        let later = SummaryDay(
            day: Profile.Day(year: 2024, month: 3, day: 1), start: 60 * Self.day, end: 61 * Self.day)
        try store.engine.save(
            [.sample(.quantity(Names.energy, 7, "kcal", from: later.start))], as: Names.watch)
        let found = try store.engine.activitySummaries([later], as: Names.watch)
        #expect(found.map(\.activeEnergyBurnedGoal?.value) == [600])
        #expect(try store.engine.lastGoals(before: later.start, as: Names.watch)?.day == 1)
    }

    @Test func timesAreWhereTheSamplesAre() throws {
        let store = try TestStore()
        let (early, late) = (-6.3e10, 6.3e10)
        try store.engine.save(
            [
                .sample(.quantity(Names.energy, 1, "kcal", from: early, to: early + 60)),
                .sample(.quantity(Names.energy, 1, "kcal", from: 100, to: 160)), stand(9, 0),
                .sample(.quantity(Names.exercise, 1, "min", from: 130, to: 190)),
                .sample(.quantity(Names.exercise, 1, "min", from: late, to: late + 60)),
            ], as: Names.watch)
        let times = try store.engine.summaryTimes(as: Names.watch)
        #expect(times.samples.count == 4 && times.importedDays.isEmpty && times.dayCount < 10)
        #expect(times.samples.first == early...early + 60 && times.samples.last == late...late + 60)
        #expect(times.samples.contains(100...190))
        #expect(try store.engine.summaryTimes(within: 0...1_000, as: Names.watch).samples == [100...190])
        #expect(try store.engine.summaryTimes(within: 1e6...2e6, as: Names.watch).samples.isEmpty)
    }

    @Test func permissionIsThatOfTheSummaryType() throws {
        let store = try TestStore()
        try store.engine.save([.sample(.quantity(Names.energy, 7, "kcal", from: 50))], as: Names.watch)
        let app = Names.caller("org.example.app", "App", permission: .table)
        #expect(throws: EngineError.authorizationNotDetermined(Names.summary)) {
            try store.engine.activitySummaries(Self.days, as: app)
        }
        try store.engine.authorization.set(
            TypeAuthorization(read: .denied), of: Names.summary, bundleIdentifier: app.bundleIdentifier)
        #expect(try store.engine.activitySummaries(Self.days, as: app).isEmpty)
        #expect(try store.engine.summaryTimes(as: app) == SummaryTimes())
        try store.engine.authorization.set(
            TypeAuthorization(read: .authorized), of: Names.summary, bundleIdentifier: app.bundleIdentifier)
        #expect(try store.engine.activitySummaries(Self.days, as: app).count == 1)
    }
}
