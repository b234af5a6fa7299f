import HealthJSON
import HealthModel

/// Sleep in both of its shapes: single stages, and one entry for each night.
struct AutoExportSleep {
    let type: TypeDescription
    let dates: AutoExportDateReader

    func entries(_ value: JSONValue) throws(IngestEntryError) -> [IngestEntry] {
        if value["value"] != nil || value["startDate"] != nil { return [try stage(value)] }
        return try night(value)
    }

    private func stage(_ value: JSONValue) throws(IngestEntryError) -> IngestEntry {
        guard let start = dates.date(value[first: "startDate", "start"]),
            let end = dates.date(value[first: "endDate", "end"])
        else { throw IngestEntryError("“startDate” or “endDate” is missing or not a date.") }
        guard end.instant >= start.instant else { throw .dates }
        guard let raw = value["value"]?.text.flatMap({ Self.stages[AutoExportNames.normalized($0)] }) else {
            throw IngestEntryError("“value” is not a known stage of sleep.")
        }
        return IngestEntry(
            SampleRecord(type: type.code, start: start.instant, end: end.instant, value: raw),
            source: value.sourceName)
    }

    /// A night's totals. The stages are placed consecutively from falling asleep on, because their order isn't known;
    /// the durations are exact. Metadata marks the samples as a summary.
    private func night(_ value: JSONValue) throws(IngestEntryError) -> [IngestEntry] {
        guard let date = dates.date(value["date"]) else { throw .noDate }
        let asleepStart = dates.date(value["sleepStart"])?.instant
        let asleepEnd = dates.date(value["sleepEnd"])?.instant
        let bedStart = dates.date(value["inBedStart"])?.instant
        let bedEnd = dates.date(value["inBedEnd"])?.instant
        guard let start = asleepStart ?? bedStart, let end = asleepEnd ?? bedEnd, end >= start,
            end - start <= 2 * 86_400
        else {
            throw IngestEntryError("“sleepStart” or “sleepEnd” is missing or not a date.")
        }
        let key = LocalClock.dayText(number: date.day)
        var samples: [(value: Double, start: Double, end: Double)] = []
        func seconds(_ name: String) -> Double {
            let hours = value[name]?.number ?? 0
            return hours > 0 && hours <= 48 ? (hours * 3_600).rounded() : 0
        }
        // A time in bed of 0 means that nothing measured it, whatever its dates are.
        if value["inBed"]?.number != 0, let bedStart, let bedEnd, bedEnd > bedStart, bedEnd - bedStart <= 2 * 86_400 {
            samples.append((0, bedStart, bedEnd))
        } else if bedStart == nil, seconds("inBed") > 0 {
            samples.append((0, start, start + seconds("inBed")))
        }
        var parts = [("core", 3.0), ("deep", 4), ("rem", 5)].map { ($0.1, seconds($0.0)) }
        let staged = parts.reduce(0) { $0 + $1.1 }
        // “asleep” is the time of no known stage; some versions repeat the total there.
        let total = seconds("totalSleep")
        let asleep = seconds("asleep")
        // Without a total, it is one if the night isn't long enough for both.
        let rest = total > 0 ? min(asleep, total - staged) : staged + asleep > end - start ? asleep - staged : asleep
        let unstaged = staged == 0 ? max(total, asleep) : max(0, rest)
        parts.append((1, unstaged))
        // Figures of 0 say that the night has no sleep; none at all, that only its dates were posted.
        let hasFigures = ["totalSleep", "asleep", "core", "deep", "rem"].contains { value[$0]?.number != nil }
        if !hasFigures, asleepStart != nil, asleepEnd != nil { parts.append((1, end - start)) }
        parts.append((2, seconds("awake")))
        // Rounding of hours can exceed the night by seconds; what doesn't fit at all is left out.
        var place = start
        for (stage, length) in parts where length > 0 {
            let next = min(place + length, end + 60)
            if next > place { samples.append((stage, place, next)) }
            place = next
        }
        guard !samples.isEmpty else { throw IngestEntryError("The night has no durations.") }
        return samples.map { sample in
            var entry = IngestEntry(
                SampleRecord(type: type.code, start: sample.start, end: sample.end, value: sample.value),
                source: value.sourceName, summary: .day)
            entry.summaryKey = key
            return entry
        }
    }
}
