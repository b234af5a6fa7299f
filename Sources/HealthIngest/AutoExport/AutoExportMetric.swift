import HealthJSON
import HealthModel

/// One metric of a document, and the translation of its entries to samples.
///
/// A period comes from the header or, without one, from the entries: minimum and maximum that differ, and cumulative
/// totals that all begin on whole days, hours or minutes without an end, are summaries.
struct AutoExportMetric {
    let type: TypeDescription
    /// The unit as posted.
    let unitText: String?
    /// The aggregation in the header: a period, none, or not known.
    let header: IngestAggregation??
    let dates: AutoExportDateReader

    private let unit: AutoExportUnit?
    /// The period that the entries themselves suggest, set by ``examine(_:)``.
    private var suggested: IngestAggregation?
    private let enteredTypes: Bool
    /// The type's short name, which isn't stored with the type.
    private let shortName: String

    init(type: TypeDescription, unit: String?, header: IngestAggregation??, dates: AutoExportDateReader) {
        self.type = type
        unitText = unit
        self.header = header
        self.dates = dates
        self.unit = AutoExportUnit(unit, for: type)
        shortName = type.shortName
        // What people enter by hand is on whole minutes and hours, too.
        enteredTypes = shortName.hasPrefix("dietary") || shortName == "numberOfAlcoholicBeverages"
    }

    /// Examines the first entries of the metric for signs of a summary. It matters only without a header.
    mutating func examine(_ entries: [JSONValue]) {
        guard header == nil else { return }
        var dates: [AutoExportDate] = []
        var differs = false
        for entry in entries {
            if let low = entry[first: "Min", "min"]?.number, let high = entry[first: "Max", "max"]?.number, low != high
            {
                differs = true
            }
            guard entry[first: "start", "end", "startDate", "endDate"] == nil, let date = self.dates.date(entry["date"])
            else {
                if differs { suggested = .unspecified }
                return
            }
            dates.append(date)
        }
        guard differs || type.aggregationStyle?.isCumulative == true, !dates.isEmpty else { return }
        if dates.allSatisfy({ $0.secondOfDay == 0 }) {
            suggested = .day
        } else if !enteredTypes || differs, dates.count > 1, dates.allSatisfy({ $0.secondOfDay % 3_600 == 0 }) {
            suggested = .hour
        } else if !enteredTypes || differs, dates.count > 2 || differs, dates.allSatisfy({ $0.secondOfDay % 60 == 0 }) {
            suggested = .minute
        } else if differs {
            suggested = .unspecified
        }
    }

    /// The period of the metric's entries; `nil` if they are single samples.
    var aggregation: IngestAggregation? {
        if let header { header } else { suggested }
    }

    /// Translates an entry.
    func entries(_ value: JSONValue) throws(IngestEntryError) -> [IngestEntry] {
        guard value.members != nil else { throw .noObject }
        switch shortName {
        case "sleepAnalysis": return try AutoExportSleep(type: type, dates: dates).entries(value)
        case "bloodPressure": return [try bloodPressure(value)]
        case "sexualActivity": return try sexualActivity(value)
        case "handwashingEvent", "toothbrushingEvent", "mindfulSession": return [try timedEvent(value)]
        default: return [try type.kind == .category ? category(value) : quantity(value)]
        }
    }

    // MARK: Shapes

    private func quantity(_ value: JSONValue) throws(IngestEntryError) -> IngestEntry {
        let unit = value["units"]?.text.map { AutoExportUnit($0, for: type) } ?? self.unit
        guard let unit else { throw .unit }
        let low = value[first: "Min", "min"]?.number
        let high = value[first: "Max", "max"]?.number
        guard let number = value[first: "qty", "Avg", "avg"]?.number else { throw .noQuantity }
        var period = try period(of: value)
        var metadata = try typeMetadata(value)
        if let low, let high, low != high {
            // Minimum and maximum differ only in a summary, whatever the header says.
            if period.summary == nil { period.summary = .unspecified }
            for (key, bound) in [(IngestMetadataKey.minimum, low), (IngestMetadataKey.maximum, high)] {
                let quantity = unit(bound)
                metadata.append(.init(key: key, value: .quantity(quantity.value, unit: quantity.unit)))
            }
        }
        let quantity = unit(number)
        guard quantity.value.isFinite else { throw .noQuantity }
        var entry = IngestEntry(
            SampleRecord(
                type: type.code, start: period.start, end: period.end, value: quantity.value, unit: quantity.unit,
                metadata: Metadata(metadata)), source: value.sourceName, summary: period.summary)
        entry.isEndKnown = period.isEndKnown
        return entry
    }

    /// The members that become metadata, by the type's short name, with the names of their values from 1 on.
    private static let choices = [
        "bloodGlucose": (member: "mealTime", key: "HKBloodGlucoseMealTime", names: ["before_meal", "after_meal"]),
        "insulinDelivery": (member: "reason", key: MetadataKey.insulinDeliveryReason, names: ["basal", "bolus"]),
    ]

    private func typeMetadata(_ value: JSONValue) throws(IngestEntryError) -> [Metadata.Entry] {
        guard let choice = Self.choices[shortName] else { return [] }
        let text = AutoExportNames.normalized(value[choice.member]?.text ?? "")
        if let index = choice.names.firstIndex(of: text) {
            return [.init(key: choice.key, value: .integer(Int64(index) + 1))]
        }
        if shortName == "bloodGlucose", ["", "unspecified"].contains(text) { return [] }
        throw IngestEntryError("“\(choice.member)” \(text.isEmpty ? "is missing" : "has an unknown value").")
    }

    private func bloodPressure(_ value: JSONValue) throws(IngestEntryError) -> IngestEntry {
        guard let systolic = value["systolic"]?.number, let diastolic = value["diastolic"]?.number else {
            throw IngestEntryError("“systolic” or “diastolic” is missing or not a number.")
        }
        guard let unit = AutoExportUnit(unitText ?? "mmHg", canonical: "mmHg") else { throw .unit }
        let period = try period(of: value)
        let members = [("Systolic", systolic), ("Diastolic", diastolic)].compactMap { name, number -> SampleRecord? in
            TypeCatalog.description(for: "HKQuantityTypeIdentifierBloodPressure" + name).map {
                let quantity = unit(number)
                return SampleRecord(
                    type: $0.code, start: period.start, end: period.end, value: quantity.value, unit: quantity.unit)
            }
        }
        return IngestEntry(
            ObjectRecord(type: type.code, start: period.start, end: period.end, members: members),
            source: value.sourceName, summary: period.summary)
    }

    private func sexualActivity(_ value: JSONValue) throws(IngestEntryError) -> [IngestEntry] {
        let period = try period(of: value)
        var found: [IngestEntry] = []
        for (name, protection) in [
            ("Unspecified", Bool?.none), ("Protection Used", true), ("Protection Not Used", false),
        ] {
            guard let count = value[name]?.number, count > 0 else { continue }
            var metadata: [Metadata.Entry] = []
            if let protection {
                metadata.append(.init(key: "HKSexualActivityProtectionUsed", value: .bool(protection)))
            }
            if count != 1 { metadata.append(.init(key: IngestMetadataKey.count, value: .double(count))) }
            found.append(
                IngestEntry(
                    SampleRecord(
                        type: type.code, start: period.start, end: period.start, value: 0, metadata: Metadata(metadata)),
                    source: value.sourceName))
        }
        guard !found.isEmpty else { throw IngestEntryError("The entry has no count above 0.") }
        return found
    }

    /// Handwashing, toothbrushing and mindful sessions: `qty` is their duration.
    private func timedEvent(_ value: JSONValue) throws(IngestEntryError) -> IngestEntry {
        guard header != .some(.some(.day)) || value["value"] != nil else { throw Self.categoryTotal }
        guard let date = dates.date(value[first: "start", "date", "startDate"]) else { throw .noDate }
        var end = date.instant
        if let given = dates.date(value[first: "end", "endDate"]) {
            end = given.instant
        } else if let amount = value["qty"]?.number, amount >= 0, amount < 86_400 {
            let scales: [String: Double] = ["min": 60, "hr": 3_600]
            let unit = AutoExportUnit(unitText, canonical: "s")?.unit ?? (shortName == "mindfulSession" ? "min" : "s")
            end = date.instant + min(amount * (scales[unit] ?? 1), 86_400)
        }
        guard end >= date.instant else { throw .dates }
        var metadata: [Metadata.Entry] = []
        if let word = value["value"]?.text {
            metadata.append(.init(key: IngestMetadataKey.value, value: .string(String(word.prefix(100)))))
        }
        return IngestEntry(
            SampleRecord(type: type.code, start: date.instant, end: end, value: 0, metadata: Metadata(metadata)),
            source: value.sourceName)
    }

    private static let categoryTotal = IngestEntryError("A total of a category has no samples.")

    private func category(_ value: JSONValue) throws(IngestEntryError) -> IngestEntry {
        var period = try period(of: value)
        var raw: Int?
        if let words = value[first: "value", "severity"]?.text {
            raw = AutoExportNames.categoryValue(words, of: type)
        } else if shortName == "appleStandHour", let count = value["qty"]?.number {
            guard count <= 1 else { throw Self.categoryTotal }
            raw = count >= 1 ? 0 : 1
            if !period.isEndKnown { period.end = period.start + 3_600 }
            period.summary = nil
        } else if period.summary == nil || value["qty"]?.number == 1 {
            raw = type.categoryEnumeration == "HKCategoryValue" ? 0 : type.categoryValues?.lowerBound
            period.summary = nil
        }
        guard let raw else {
            throw value["value"] == nil ? Self.categoryTotal : IngestEntryError("“value” has an unknown value.")
        }
        var metadata: [Metadata.Entry] = []
        if shortName == "menstrualFlow" {
            metadata.append(
                .init(key: MetadataKey.menstrualCycleStart, value: .bool(value["isCycleStart"]?.flag ?? false)))
        }
        return IngestEntry(
            SampleRecord(
                type: type.code, start: period.start, end: period.end, value: Double(raw), metadata: Metadata(metadata)),
            source: value.sourceName)
    }
}

// MARK: - Periods

extension AutoExportMetric {
    /// The dates of an entry, and the period it summarizes.
    private struct Period {
        var start: Double
        var end: Double
        var isEndKnown: Bool
        var summary: IngestAggregation?
    }

    private func period(of value: JSONValue) throws(IngestEntryError) -> Period {
        guard let date = dates.date(value[first: "start", "startDate", "date"]) else { throw .noDate }
        if let written = value[first: "end", "endDate"] {
            guard let end = dates.date(written) else { throw IngestEntryError("“end” is not a date.") }
            guard end.instant >= date.instant else { throw .dates }
            return Period(start: date.instant, end: end.instant, isEndKnown: true, summary: aggregation)
        }
        guard let aggregation else {
            return Period(start: date.instant, end: date.instant, isEndKnown: false, summary: nil)
        }
        let end: Double =
            switch aggregation {
            case .minute: date.instant + 60
            case .hour: date.instant + 3_600
            case .day: dates.nextDay(after: date)
            case .week: dates.nextDay(after: date, days: 7)
            case .month: dates.nextDay(after: date, days: Self.length(ofMonthOf: date))
            case .year: dates.nextDay(after: date, days: Self.length(ofYearOf: date))
            case .unspecified, .workout: date.instant
            }
        return Period(start: date.instant, end: max(end, date.instant), isEndKnown: true, summary: aggregation)
    }

    private static func length(ofMonthOf date: AutoExportDate) -> Int {
        let (year, month, _) = CivilDate.date(dayNumber: date.day)
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        return CivilDate.dayNumber(year: next.0, month: next.1, day: 1)
            - CivilDate.dayNumber(year: year, month: month, day: 1)
    }

    private static func length(ofYearOf date: AutoExportDate) -> Int {
        let year = CivilDate.date(dayNumber: date.day).year
        return CivilDate.dayNumber(year: year + 1, month: 1, day: 1) - CivilDate.dayNumber(year: year, month: 1, day: 1)
    }
}
