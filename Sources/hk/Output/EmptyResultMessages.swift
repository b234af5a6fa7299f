import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthInsights
import HealthModel
import HealthImport

/// Messages of commands that have nothing to show: an old archive must not look empty.
extension StoreOptions {
    /// When the newest data is, and which range shows it.
    ///
    /// - Parameters:
    ///   - noun: What there is nothing of, such as `sleep`.
    ///   - newest: When the newest data is, if there is any.
    ///   - range: The range of the command.
    ///   - usual: The start of the range that the command has without options.
    func nothing(
        _ noun: String, newest: Date?, _ range: RangeOptions, _ calendar: Calendar, usual: Date? = nil
    ) throws -> String {
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        let dates = DateOutput(calendar: calendar)
        guard let newest = newest.map({ calendar.startOfDay(for: $0) }),
            let first = start ?? (end == nil ? usual : .distantPast),
            calendar.startOfDay(1, after: newest) <= first || newest >= end ?? .distantFuture
        else { return "No \(noun).\n" }
        let weeks = calendar.startOfDay(-13, after: newest)
        return "No \(noun) in this range. The newest data is of \(dates.day(newest)): "
            + "--from \(dates.day(weeks)) --to \(dates.day(newest)) shows it.\n"
    }

    /// The same for types with these identifiers.
    func nothing(
        _ noun: String, of types: Set<String>, _ range: RangeOptions, _ calendar: Calendar, usual: Date? = nil
    ) throws -> String {
        try nothing(noun, newest: try newest(of: types), range, calendar, usual: usual)
    }

    /// The same for a type that a person called so; if it has no data at all, with those types that have a word of the name.
    func nothing(
        of type: TypeDescription, called name: String, _ range: RangeOptions, _ calendar: Calendar, command: String
    ) throws -> String {
        let words = TypeSynonyms.words(of: name)
        let others = try engine().typeOverview(as: .person).filter {
            $0.type != type && !words.isDisjoint(with: TypeSynonyms.words(of: $0.type.shortName))
        }.sorted { $0.count > $1.count }.prefix(5).map {
            "\($0.type.shortName) has \(NumberOutput.counted($0.count, "sample")): hk \(command) \($0.type.shortName)\n"
        }
        guard try newest(of: [type.identifier]) == nil, !others.isEmpty else {
            return try nothing("samples", of: [type.identifier], range, calendar)
        }
        return "No samples of \(type.shortName).\n" + others.joined()
    }

    /// The same for a command about one day; empty if that has data.
    func nothingOfDay(_ calendar: Calendar) throws -> String {
        let today = calendar.startOfDay(for: CurrentTime.now)
        guard let newest = try newest(of: nil), newest < today else { return "" }
        let day = DateOutput(calendar: calendar).day(newest)
        return "\nNo data of this day. The newest data is of \(day): --day \(day) shows it.\n"
    }

    /// When the newest data of some types ends, or of all. Archives can have samples of the future.
    private func newest(of types: Set<String>?) throws -> Date? {
        let now = CurrentTime.now.timeIntervalSinceReferenceDate
        return try engine().typeOverview(as: .person).filter { types?.contains($0.type.identifier) ?? true }.map {
            // A summary ends with its day.
            min(now, $0.type.kind == .activitySummary ? $0.end - 1 : $0.end)
        }.max().map(Date.init(reference:))
    }
}
