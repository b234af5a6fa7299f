import HealthFiles
import HealthJSON
import HealthModel

/// The documents of Polar Flow's export with what a watch measures all day and all night.
struct PolarDay {
    /// The documents, by the beginnings of their names.
    enum Kind: String, CaseIterable {
        case nights = "sleep_result"
        case heartRates = "247ohr"

        /// The member by which a document is recognized.
        private var member: String {
            switch self {
            case .nights: "sleepStateChanges"
            case .heartRates: "secondsFromDayStart"
            }
        }

        /// `nil` for another file.
        init?(_ file: CandidateFile) {
            guard file.isAlone || file.hasEnding(".json"), ["{", "["].contains(file.text.first) else { return nil }
            let kind = Self.allCases.first { kind in
                (file.isAlone || file.lastName.hasPrefix(kind.rawValue)) && file.text.contains("\"\(kind.member)\"")
            }
            guard let kind else { return nil }
            self = kind
        }
    }

    private static let samples = SampleOrigin(
        "polar.day", "Polar", device: DeviceRecord(name: "Polar", manufacturer: "Polar"))

    /// - Throws: ``FileReadingError``.
    static func read(_ bytes: [UInt8], _ kind: Kind, _ context: ImportContext) throws -> FileContent {
        guard let clock = context.clock(of: nil), let document = JSONValue(bytes, isLenient: true) else {
            throw FileReadingError("it isn’t a document of Polar’s in JSON")
        }
        var content = FileContent()
        switch kind {
        case .nights: document.elements?.forEach { add(night: $0, clock, to: &content) }
        case .heartRates:
            var series = SampleSeries(.heartRate, samples)
            for day in document["deviceDays"]?.elements ?? [] {
                guard let date = day["date"]?.text.flatMap(DateText.day) else { continue }
                for sample in day["samples"]?.elements ?? [] {
                    guard let second = sample["secondsFromDayStart"]?.number, (0..<86_400).contains(second),
                        let rate = sample["heartRate"]?.number, (1..<400).contains(rate)
                    else { continue }
                    let instant = Double(clock.instant(ofWallSecond: date * 86_400 + Int(second)))
                    series.append(rate, instant, instant)
                }
            }
            if series.count > 0 { content.series = [series] }
        }
        return content
    }

    /// Adds a night: its stages, each of which lasts until the next one, and the last one until the end.
    private static func add(night: JSONValue, _ clock: LocalClock, to content: inout FileContent) {
        let hypnogram = night["sleepResult"]?["hypnogram"]
        guard let start = hypnogram?["sleepStart"]?.text.flatMap(clock.instant),
            let end = hypnogram?["sleepEnd"]?.text.flatMap(clock.instant), end > start, end - start < 3 * 86_400
        else { return content.leaveOut("night without times") }
        content.samples.append(samples.sleep(.inBed, start, end))
        let changes = (hypnogram?["sleepStateChanges"]?.elements ?? []).compactMap { change -> (Double, SleepValue?)? in
            guard let offset = change["offsetFromStart"]?.text.flatMap(PolarSession.duration) else { return nil }
            return (start + offset, change["state"]?.text.flatMap { states[$0] })
        }.filter { $0.0 < end }
        // A night without stages has nothing but interruptions.
        guard changes.contains(where: { $0.1 != nil && $0.1 != .awake }) else {
            return content.samples.append(samples.sleep(.asleep, start, end))
        }
        let ends = changes.dropFirst().map(\.0) + [end]
        for ((first, value), last) in zip(changes, ends) where last > first {
            guard let value else { continue }
            content.samples.append(samples.sleep(value, first, last))
        }
    }
}
