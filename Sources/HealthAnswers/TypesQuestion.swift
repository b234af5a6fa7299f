package import Foundation
package import HealthEngine
import HealthFormats
package import HealthInsights
import HealthKit
package import HealthModel
import HealthImport

/// The data types that a person has.
package struct TypesQuestion: Question {
    private let overviews: [TypeOverview]
    private let quantities: Set<HKQuantityType>
    /// Reads the nights, if recent values are asked for and sleep may be read.
    private let sleep: SleepSources?
    private let hasRecent: Bool
    private let pinned: [String]
    private let calendar: Calendar
    private let now: Date

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        var found = try setting.engine.typeOverview(as: setting.caller)
        let words = try parameters.text("search")
        if try parameters.flag("all") || words != nil {
            let stored = Set(found.map(\.type.code))
            found += TypeCatalog.all.filter { !stored.contains($0.code) && $0.hasSamples }.map {
                TypeOverview(type: $0, count: 0, start: .infinity, end: -.infinity)
            }
        }
        if let words {
            let search = TypeSearch(words, in: try setting.engine.dictionaries())
            let names = Set(search.suggestions + [search.found?.shortName].compactMap { $0 })
            found = found.filter { names.contains($0.type.shortName) }
        }
        overviews = found
        let readable = try setting.engine.readable(
            found.map(\.type).filter { $0.kind == .quantity }, as: setting.caller)
        quantities = Set(
            readable.compactMap { HKObjectType.quantityType(forIdentifier: .init(rawValue: $0.identifier)) })
        hasRecent = try parameters.flag("recent")
        let sleepType = HKCategoryTypeIdentifier.sleepAnalysis.rawValue
        let mayRead = try setting.engine.readable(
            found.map(\.type).filter { $0.identifier == sleepType }, as: setting.caller)
        sleep = try hasRecent && !mayRead.isEmpty ? SleepSources(&parameters, setting) : nil
        pinned = try setting.engine.pinnedTypes(as: setting.caller)
        (calendar, now) = (setting.calendar, setting.now)
    }

    package func answer(_ context: some QuestionContext) async throws -> TypesAnswer {
        let units =
            quantities.isEmpty ? [:] : try await context.healthStore(calendar: calendar).preferredUnits(for: quantities)
        let preferred = Dictionary(uniqueKeysWithValues: units.map { ($0.key.identifier, $0.value.unitString) })
        let recent = hasRecent ? try await recentValues(context) : [:]
        return TypesAnswer(
            types: overviews.map { overview in
                let span = span(overview)
                let identifier = overview.type.identifier
                return TypesAnswer.Entry(
                    type: overview.type, count: overview.count, start: span?.start, end: span?.end,
                    preferredUnit: preferred[identifier], pin: pinned.firstIndex(of: identifier).map { $0 + 1 },
                    recent: recent[identifier])
            }, now: now)
    }

    private func recentValues(_ context: some QuestionContext) async throws -> [String: RecentValues] {
        let reader = TrendReader(store: context.healthStore(calendar: calendar), calendar: calendar)
        var found: [String: RecentValues] = [:]
        for type in quantities {
            found[type.identifier] = try await context.silently(nil) {
                try await reader.recentValues(of: type, asOf: now)
            }
        }
        if let sleep {
            found[HKCategoryTypeIdentifier.sleepAnalysis.rawValue] = try await context.silently(nil) {
                try await sleep.reader(context).recentValues(asOf: now)
            }
        }
        return found
    }

    /// The start and end of the samples. The days of summaries are stored in UTC.
    private func span(_ overview: TypeOverview) -> (start: Date, end: Date)? {
        guard overview.count > 0 else { return nil }
        let (start, end) = (Date(reference: overview.start), Date(reference: overview.end))
        guard overview.type.kind == .activitySummary else { return (start, end) }
        var utc = calendar
        utc.timeZone = .gmt
        func local(_ date: Date) -> Date {
            calendar.date(from: utc.dateComponents([.year, .month, .day], from: date)) ?? date
        }
        return (local(start), local(end))
    }
}

/// The data types that a person has.
package struct TypesAnswer: AnswerObject, Sendable {
    package let types: [Entry]
    let now: Date

    package static let fields: [AnswerField<Self>] = [
        .init("types", \.types), .init("count") { $0.types.reduce(0) { $0 + $1.count } },
        .init("startDate") { $0.types.compactMap(\.start).min() },
        // Archives can have samples of the future.
        .init("latestDate") { answer in answer.types.compactMap(\.end).filter { $0 <= answer.now }.max() },
    ]

    /// A type.
    package struct Entry: AnswerObject, Sendable {
        package let type: TypeDescription
        package let count: Int
        /// The earliest start and the latest end, if there are samples.
        package let start: Date?
        package let end: Date?
        let preferredUnit: String?
        /// The place among the pinned types, from 1.
        let pin: Int?
        let recent: RecentValues?

        package static let fields: [AnswerField<Self>] = [
            .init("type", \.type.identifier), .init("name", \.type.shortName), .init("kind", \.type.kind.name),
            .init("category", \.type.healthCategory),
            .init("count", \.count), .init("startDate", \.start), .init("endDate", \.end),
            .init("unit", \.type.canonicalUnit), .init("preferredUnit", \.preferredUnit),
            .init("aggregationStyle", \.type.aggregationStyle?.name), .init("isShareable", \.type.isShareable),
            .init("values") { entry in
                entry.type.kind == .category
                    ? ValueNames.all(of: entry.type).map { NamedValue(value: $0.value, valueName: $0.name) } : nil
            }, .init("pin", \.pin), .init("recent", \.recent),
        ]
    }

    /// A value of a category type.
    struct NamedValue: AnswerObject {
        let value: Int
        let valueName: String

        static let fields: [AnswerField<Self>] = [.init("value", \.value), .init("valueName", \.valueName)]
    }
}

extension RecentValues: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("unit", \.unit.unitString), .init("value", \.latest.value), .init("date", \.latest.date),
        .init("isOfDay", \.isOfDay), .init("days", \.days),
    ]
}

extension HealthEngine {
    /// The types that the person wants to see first, as far as they may be read.
    package func pinnedTypes(as caller: Caller) throws -> [String] {
        guard let pinned = try profile.read().pinnedTypes else { return [] }
        let dictionaries = try dictionaries()
        return try readable(pinned.compactMap(dictionaries.type(identifier:)), as: caller).map(\.identifier)
    }
}
