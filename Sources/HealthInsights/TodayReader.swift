public import Foundation
public import HealthKit

/// Reads what a day looks like so far.
public struct TodayReader: Sendable {
    private let store: HKHealthStore
    private let calendar: Calendar
    private let energyUnit: HKUnit
    private let sleepReader: SleepReader
    private let trends: TrendReader

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - store: The store to read. Types that may not be read count as empty.
    ///   - calendar: The calendar that determines days.
    ///   - energyUnit: The unit of averages of energy.
    ///   - sleepReader: Reads the nights; by default, a reader of the same store and calendar.
    public init(
        store: HKHealthStore, calendar: Calendar = .current, energyUnit: HKUnit = .kilocalorie(),
        sleepReader: SleepReader? = nil
    ) {
        self.store = store
        self.calendar = calendar
        self.energyUnit = energyUnit
        self.sleepReader = sleepReader ?? SleepReader(store: store, calendar: calendar)
        trends = TrendReader(store: store, calendar: calendar)
    }

    /// The types to request authorization for.
    public static var typesToRead: Set<HKObjectType> {
        EnergyBalanceReader.typesToRead.union(SleepReader.typesToRead).union([
            HKObjectType.activitySummaryType(), HKQuantityType(.stepCount), HKQuantityType(.heartRate),
            HKQuantityType(.restingHeartRate), HKObjectType.workoutType(),
        ])
    }

    /// Returns the summary of the day of a date, until that date.
    ///
    /// - Throws: `HKError` if reading fails. Missing data is not an error.
    public func summary(now: Date = Date()) async throws -> TodaySummary {
        let start = calendar.startOfDay(for: now)
        let end = calendar.startOfDay(for: start + 36 * 3_600)
        let fourWeeks = calendar.startOfDay(for: start - (Double(TodaySummary.referenceDays) * 86_400 - 12 * 3_600))
        let before = DateInterval(start: fourWeeks, end: start)
        let history = WorkoutHistory(store: store, calendar: calendar)
        let nights = try await sleepReader.nights(in: DateInterval(start: fourWeeks, end: max(end, start)))
        let today = calendar.dateComponents([.year, .month, .day], from: now)
        let isToday = { (night: SleepNight) in
            night.day.year == today.year && night.day.month == today.month && night.day.day == today.day
        }
        var workout: WorkoutSummary?
        if let latest = try await history.latestWorkout(before: now) { workout = try await history.summary(of: latest) }
        var summary = TodaySummary(
            date: now, day: DateInterval(start: start, end: end), rings: try await rings(from: fourWeeks, now: now),
            energy: try await energy(now: now), steps: try await steps(from: start, now: now),
            heartRate: try await heartRate(from: start, now: now), sleep: nights.first(where: isToday),
            sleepReference: SleepAverages(nights.filter { !isToday($0) }), workout: workout,
            workoutReference: WorkoutFigures(try await history.summaries(in: before)))
        if !summary.hasDay { summary.latestDate = try await latestDate(before: now) }
        return summary
    }

    /// When the newest data of what a day is made of ends.
    private func latestDate(before now: Date) async throws -> Date? {
        let types: [HKSampleType] = [
            HKQuantityType(.stepCount), HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
            HKCategoryType(.sleepAnalysis),
        ]
        let past = HKQuery.predicateForSamples(withStart: nil, end: now)
        let newest = try await HKSampleQueryDescriptor(
            predicates: types.map { .sample(type: $0, predicate: past) },
            sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 1
        ).result(for: store).first
        return newest.map { min($0.endDate, now) }
    }

    private func rings(from first: Date, now: Date) async throws -> TodayRings {
        let days = try await DayRings.days(from: first, to: now, in: store, calendar: calendar)
        let today = calendar.startOfDay(for: now)
        let week = calendar.startOfDay(for: today - (6 * 86_400 - 12 * 3_600))
        return TodayRings(
            today: days.last.flatMap { $0.date == today ? $0 : nil }, week: days.filter { $0.date >= week },
            reference: RingsFigures(days.filter { $0.date < today }, energyUnit: energyUnit))
    }

    private func energy(now: Date) async throws -> TodayEnergy {
        TodayEnergy(
            balance: try await EnergyBalanceReader(store: store, calendar: calendar).balance(now: now),
            consumedReference: try await trends.reference(
                of: HKQuantityType(.dietaryEnergyConsumed), asOf: now, unit: energyUnit),
            activeReference: try await trends.reference(
                of: HKQuantityType(.activeEnergyBurned), asOf: now, unit: energyUnit))
    }

    private func steps(from start: Date, now: Date) async throws -> TodayQuantity {
        let type = HKQuantityType(.stepCount)
        let soFar = try await trends.figures(
            of: type, in: DateInterval(start: start, end: max(start, now)), unit: .count())
        let hours = try await hours(of: type, from: calendar.startOfDay(for: start - 6.5 * 86_400), to: now)
        let (before, today) = (hours.filter { $0.date < start }, hours.filter { $0.date >= start })
        let days = Double(max(1, Set(before.map { calendar.startOfDay(for: $0.date) }).count))
        return TodayQuantity(
            value: soFar.total, unit: .count(), hours: sums(today), averageHours: sums(before).map { $0 / days },
            reference: try await trends.reference(of: type, asOf: now, unit: .count()))
    }

    /// The values of the hours that have samples.
    private func hours(of type: HKQuantityType, from start: Date, to end: Date) async throws -> [DailyValue] {
        guard start < end else { return [] }
        return try await trends.values(
            of: type, in: DateInterval(start: start, end: end), every: DateComponents(hour: 1), unit: .count())
    }

    /// The sums by hour of the clock.
    private func sums(_ hours: [DailyValue]) -> [Double] {
        hours.reduce(into: Array(repeating: 0, count: 24)) { sums, hour in
            sums[calendar.component(.hour, from: hour.date)] += hour.value ?? 0
        }
    }

    private func heartRate(from start: Date, now: Date) async throws -> TodayHeartRate? {
        let (type, resting) = (HKQuantityType(.heartRate), HKQuantityType(.restingHeartRate))
        let soFar = DateInterval(start: start, end: max(start, now))
        let figures = try await trends.figures(of: type, in: soFar, unit: .beatsPerMinute)
        let latest = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: type, predicate: HKQuery.predicateForSamples(withStart: start, end: now))
            ], sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 1
        ).result(for: store).first
        guard let latest, let average = figures.average, let minimum = figures.minimum, let maximum = figures.maximum
        else {
            return nil
        }
        return TodayHeartRate(
            latest: ((latest as? HKDiscreteQuantitySample)?.mostRecentQuantity ?? latest.quantity).doubleValue(
                for: .beatsPerMinute), latestDate: latest.endDate, average: average, minimum: minimum, maximum: maximum,
            resting: try await trends.figures(of: resting, in: soFar, unit: .beatsPerMinute).average,
            intervals: try await trends.values(
                of: type, in: soFar, every: DateComponents(minute: 30), unit: .beatsPerMinute),
            reference: try await trends.reference(of: type, asOf: now, unit: .beatsPerMinute),
            restingReference: try await trends.reference(of: resting, asOf: now, unit: .beatsPerMinute))
    }
}
