extension HealthScenario {
    /// Two ordinary weeks.
    public static let ordinaryFortnight = HealthScenario(
        "ordinary-fortnight", "Two ordinary weeks: steps of a phone and a watch, nights, meals, workouts and rings.")

    /// A phone and a watch that count the same steps.
    public static let phoneAndWatch = HealthScenario(
        "phone-and-watch",
        "The phone counts nine tenths of the watch’s steps at the same times, so a plain sum is too large."
    ) { plan in
        plan.keeps = { type, source, _ in source != .phone || !type.hasSuffix("StepCount") }
        plan.change = { record in
            guard record.isQuantity("StepCount") else { return [record] }
            return [record, record.copied(to: .phone) { $0 * 9 / 10 }]
        }
    }

    /// A watch that is lost for three days.
    public static let watchLost = HealthScenario(
        "watch-lost", "For three days nothing is from the watch, and the phone goes on counting steps."
    ) { [days = 6..<9] plan in
        let lost = plan.clock.dayStarts[days.lowerBound]..<plan.clock.dayStarts[days.upperBound]
        plan.keeps = { _, source, second in
            !lost.contains(second) || (source != .watch && source != .watchBefore)
        }
    }

    /// A night with the end of daylight saving time.
    public static let clockChange = HealthScenario(
        "clock-change", "In the night of 2 November 2025 the clock shows 01:30 twice, and the day has 25 hours.",
        until: "2025-11-09")

    /// A flight over six time zones.
    public static let jetLag = HealthScenario(
        "jet-lag",
        "After a week in New York, a week in Paris, six zones east: nights begin five hours late, and an hour earlier each day."
    ) { plan in
        let (flight, arrival) = (plan.second(6, 18), plan.clock.dayStarts[7])
        let day = plan.clock.dayStarts
        plan.keeps = { type, _, second in
            // A night begins on the evening before.
            // The ordinary workouts are in the evening of New York.
            if type == "HKWorkoutTypeIdentifier" { return second < flight }
            return !(flight..<arrival - 4_800).contains(second) || type.hasSuffix("SleepAnalysis")
        }
        plan.change = { record in
            // A night belongs to the day on which it ends.
            let isNight = record.type.hasSuffix("SleepAnalysis")
            let index = (day.firstIndex { $0 > record.start + (isNight ? 4_800 : 0) } ?? day.count) - 1
            guard index >= 7 else { return [record] }
            var moved = record.moved(by: -3_600 * min(6, index - 6))
            moved.metadata = record.metadata.map { ($0.key, $0.key == "HKTimeZone" ? "Europe/Paris" : $0.value) }
            return [moved]
        }
    }

    /// An app that was allowed to read on the last day.
    public static let firstDay = HealthScenario(
        "first-day", "The store has two weeks, and the app may read what was measured since the last midnight.",
        readableDays: 1)

    /// Types that the person doesn’t let the app read or write.
    public static let deniedTypes = HealthScenario(
        "denied-types", "Heart rates, nights and weights are there, and the app may neither read nor write them.",
        deniedTypes: [
            "HKQuantityTypeIdentifierHeartRate", "HKCategoryTypeIdentifierSleepAnalysis",
            "HKQuantityTypeIdentifierBodyMass",
        ])

    /// Two weeks, a year without data, and two weeks.
    public static let yearWithoutData = HealthScenario(
        "year-without-data", "Two weeks, 365 days without any sample, and two weeks.", days: 393
    ) { plan in
        let empty = plan.clock.dayStarts[14]..<plan.clock.dayStarts[379]
        plan.keeps = { _, _, second in !(empty.lowerBound - 4_800..<empty.upperBound).contains(second) }
        plan.change = { $0.end <= empty.lowerBound || $0.start >= empty.upperBound ? [$0] : [] }
    }

    /// Notifications of an irregular rhythm.
    public static let atrialFibrillation = HealthScenario(
        "atrial-fibrillation",
        "Three notifications of an irregular rhythm with fast heart rates in their hour, and the burden of two weeks."
    ) { plan in
        let hours = [3, 8, 12].map { plan.second($0, 15) }
        plan.keeps = { type, _, second in
            !type.hasSuffix("IdentifierHeartRate") || !hours.contains { ($0..<$0 + 3_600).contains(second) }
        }
        for hour in hours {
            for minute in stride(from: 0, to: 60, by: 5) {
                plan.add(
                    "HeartRate", .watch, plan.random.integer(118...164), "count/min", at: hour + minute * 60,
                    metadata: [("HKMetadataKeyHeartRateMotionContext", "1")])
            }
            plan.add("IrregularHeartRhythmEvent", .watch, at: hour, until: hour + 3_600)
        }
        for week in 0..<2 {
            let start = plan.clock.dayStarts[week * 7]
            plan.add(
                "AtrialFibrillationBurden", .watch, plan.random.integer(2...6), digits: 2, "%", at: start,
                until: min(start + 7 * 86_400, plan.clock.exportSecond))
        }
    }

    /// A race of swimming, cycling and running.
    public static let triathlon = HealthScenario(
        "triathlon", "A workout of 1,500 m, 40 km and 10 km with two transitions, which are its activities."
    ) { plan in
        let race = ScenarioWorkout(
            name: "SwimBikeRun", start: plan.second(12, 8),
            activities: [
                .init(name: "Swimming", minutes: 28, distance: ("DistanceSwimming", 1_500, "m")),
                .init(name: "Transition", minutes: 3),
                .init(name: "Cycling", minutes: 72, distance: ("DistanceCycling", 40, "km")),
                .init(name: "Transition", minutes: 2),
                .init(name: "Running", minutes: 50, distance: ("DistanceWalkingRunning", 10, "km")),
            ], identities: (0..<5).map { _ in plan.random.uuid() })
        plan.workouts = [race]
        let day = plan.clock.dayStarts[12]..<plan.clock.dayStarts[13]
        plan.keeps = { type, _, second in
            !(race.start...race.end).contains(second) && !(type.hasPrefix("HKWorkout") && day.contains(second))
        }
        for minute in 0..<race.minutes {
            plan.add(
                "HeartRate", .watch, plan.random.integer(136...172), "count/min", at: race.start + minute * 60,
                metadata: [("HKMetadataKeyHeartRateMotionContext", "2")])
        }
    }

    /// A week with type 1 diabetes.
    public static let diabeticWeek = HealthScenario(
        "diabetic-week",
        "A sensor measures glucose every 15 minutes, and each meal has carbohydrates and a bolus before it.", days: 7
    ) { plan in
        var meals: [(second: Int, rise: Int)] = []
        for day in 0..<plan.clock.dayCount {
            for hour in [7.5, 12.5, 19] {
                let second = plan.second(day, hour) + plan.random.integer(0...1_200)
                let carbohydrates = plan.random.integer(35...80)
                meals.append((second, carbohydrates + plan.random.integer(0...25)))
                plan.add("DietaryCarbohydrates", .food, carbohydrates, "g", at: second)
                plan.add(
                    "InsulinDelivery", .byHand, carbohydrates, digits: 1, "IU", at: second - 600,
                    metadata: [("HKInsulinDeliveryReason", "2")])
            }
            plan.add(
                "InsulinDelivery", .byHand, 180, digits: 1, "IU", at: plan.second(day, 22),
                metadata: [("HKInsulinDeliveryReason", "1")])
        }
        for second in stride(from: plan.clock.dayStarts[0], to: plan.clock.exportSecond, by: 900) {
            // A meal raises glucose for an hour, and the insulin lowers it in the next two.
            let rise = meals.reduce(0) { sum, meal in
                let minute = (second - meal.second) / 60
                guard (0..<180).contains(minute) else { return sum }
                return sum + (minute < 60 ? meal.rise * minute / 60 : meal.rise * (180 - minute) / 120)
            }
            plan.add("BloodGlucose", .sensor, 104 + rise + plan.random.integer(-9...9), "mg/dL", at: second)
        }
    }

    /// A pregnancy from the last period to the birth.
    public static let pregnancy = HealthScenario(
        "pregnancy",
        "A pregnancy of 40 weeks with a test, rising weight and resting heart rate, and no period after its first week.",
        days: 301, density: 20
    ) { plan in
        plan.keeps = { type, source, _ in
            type.hasSuffix("BodyMass") || type.hasSuffix("RestingHeartRate")
                || type.hasSuffix("StepCount") && source == .phone
        }
        let (start, clock) = (20, plan.clock)
        plan.change = { record in
            let day = max(0, (record.start - clock.dayStarts[start]) / 86_400)
            if record.isQuantity("BodyMass") { return [record.with { $0 + 1_250 * day / 280 }] }
            if record.isQuantity("RestingHeartRate") { return [record.with { $0 + 14 * day / 280 }] }
            return [record]
        }
        for day in start..<start + 5 {
            plan.add(
                "MenstrualFlow", .byHand, "MenstrualFlowMedium", at: plan.second(day, 9), until: plan.second(day, 10),
                metadata: [("HKMenstrualCycleStart", day == start ? "1" : "0")])
        }
        plan.add("PregnancyTestResult", .byHand, "PregnancyTestResultPositive", at: plan.second(start + 33, 8))
        plan.add("Pregnancy", .byHand, at: clock.dayStarts[start], until: clock.dayStarts[start + 280])
    }

    /// Sources that contradict each other.
    public static let conflictingSources = HealthScenario(
        "conflicting-sources",
        "An app writes 1.4 times the watch’s steps, 2 kg more than the scale and 15 more beats at rest, for the same times."
    ) { plan in
        plan.change = { record in
            if record.isQuantity("StepCount"), record.source.role != .phone {
                return [record, record.copied(to: .tracker) { $0 * 7 / 5 }]
            }
            if record.isQuantity("BodyMass") { return [record, record.copied(to: .tracker) { $0 + 200 }] }
            if record.isQuantity("RestingHeartRate") { return [record, record.copied(to: .tracker) { $0 + 15 }] }
            return [record]
        }
    }
}
