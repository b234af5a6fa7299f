import AppleHealthExport
import HealthEngine
import Foundation
import HealthJSON
import HealthKit
import HealthModel

/// The entries that are neither metrics nor workouts: electrocardiograms, states of mind, symptoms, notifications,
/// medications and cycle tracking.
struct AutoExportRecord {
    let dates: AutoExportDateReader

    private func dates(of value: JSONValue) throws(IngestEntryError) -> (start: Double, end: Double) {
        guard value.members != nil else { throw .noObject }
        guard let start = dates.date(value[first: "start", "startDate", "date"])?.instant else {
            throw IngestEntryError("“start” is missing or not a date.")
        }
        guard let written = value[first: "end", "endDate"] else { return (start, start) }
        guard let end = dates.date(written)?.instant else { throw IngestEntryError("“end” is not a date.") }
        guard end >= start else { throw .dates }
        return (start, end)
    }

    private static func words(_ value: JSONValue?) -> String { AutoExportNames.normalized(value?.text ?? "") }

    // MARK: Symptoms and cycle tracking

    func symptom(_ value: JSONValue) throws(IngestEntryError) -> IngestEntry {
        let (start, end) = try dates(of: value)
        guard let name = value["name"]?.text else { throw IngestEntryError("“name” is missing.") }
        guard let type = AutoExportNames.category(name) else { throw .unknownName }
        var raw = type.categoryEnumeration == "HKCategoryValue" ? 0 : type.categoryValues?.lowerBound ?? 0
        if let words = value[first: "severity", "value"]?.text {
            guard let known = AutoExportNames.categoryValue(words, of: type) else {
                throw IngestEntryError("“severity” has an unknown value.")
            }
            raw = known
        } else if let number = value[first: "severity", "value"]?.number {
            guard let whole = Int(exactly: number), type.categoryValues?.contains(whole) ?? true else {
                throw IngestEntryError("“severity” has an unknown value.")
            }
            raw = whole
        }
        var metadata: [Metadata.Entry] = []
        if let entered = value["userEntered"]?.flag {
            metadata.append(.init(key: MetadataKey.wasUserEntered, value: .bool(entered)))
        }
        if type.shortName == "menstrualFlow" {
            let begins = value[first: "isCycleStart", "cycleStart", "menstrualCycleStart"]?.flag ?? false
            metadata.append(.init(key: MetadataKey.menstrualCycleStart, value: .bool(begins)))
        }
        return IngestEntry(
            SampleRecord(type: type.code, start: start, end: end, value: Double(raw), metadata: Metadata(metadata)),
            source: value.sourceName)
    }

    // MARK: States of mind

    private static let labels: [String: Int64] = names(1...60) { HKStateOfMind.Label(rawValue: $0).map { "\($0)" } }
    private static let associations: [String: Int64] = names(1...40) {
        HKStateOfMind.Association(rawValue: $0).map { "\($0)" }
    }

    private static func names(_ range: ClosedRange<Int>, _ name: (Int) -> String?) -> [String: Int64] {
        var found: [String: Int64] = [:]
        for value in range {
            if let name = name(value) { found[name.lowercased()] = Int64(value) }
        }
        return found
    }

    func stateOfMind(_ value: JSONValue) throws(IngestEntryError) -> IngestEntry {
        let (start, end) = try dates(of: value)
        guard let type = TypeCatalog.description(for: "HKDataTypeStateOfMind") else { throw .unknownName }
        guard let id = value["id"]?.text.flatMap({ UUID(uuidString: $0) }) else {
            throw IngestEntryError("“id” is not a UUID.")
        }
        guard let kind = Self.kinds[Self.words(value["kind"])] else {
            throw IngestEntryError("“kind” has an unknown value.")
        }
        guard let valence = value["valence"]?.number, (-1...1).contains(valence) else {
            throw IngestEntryError("“valence” is not a number from -1 to 1.")
        }
        var metadata: [Metadata.Entry] = []
        func raw(_ name: String, _ known: [String: Int64]) -> FieldValue {
            var found: [FieldValue] = []
            for word in value[name]?.elements?.compactMap(\.text) ?? [] {
                if let value = known[AutoExportNames.normalized(word).filter { $0 != "_" }] {
                    found.append(.integer(value))
                } else {
                    // A word of another language isn't lost.
                    metadata.append(.init(key: "\(IngestMetadataKey.value).\(word.prefix(60))", value: .string(name)))
                }
            }
            return .list(found)
        }
        var document = DocumentBody()
        document["kind"] = .integer(kind)
        document["valence"] = .double(valence)
        document["labels"] = raw("labels", Self.labels)
        document["associations"] = raw("associations", Self.associations)
        return IngestEntry(
            ObjectRecord(
                uuid: id, type: type.code, start: start, end: end, metadata: Metadata(metadata),
                body: .document(document)), source: value.sourceName)
    }

    // MARK: The heart

    func electrocardiogram(_ value: JSONValue) throws(IngestEntryError) -> IngestEntry {
        let (start, given) = try dates(of: value)
        guard let type = TypeCatalog.description(for: "HKDataTypeIdentifierElectrocardiogram") else {
            throw .unknownName
        }
        let words = value["classification"]?.text ?? ""
        let kind = ElectrocardiogramClass(words)
        var metadata: [Metadata.Entry] = []
        if kind == nil {
            metadata.append(.init(key: IngestMetadataKey.value, value: .string(String(words.prefix(100)))))
        }
        var document = DocumentBody()
        document[ElectrocardiogramDocument.classification] =
            .integer(Int64((kind ?? .unrecognized).rawValue))
        document[ElectrocardiogramDocument.symptomsStatus] = .integer(0)
        if let rate = value["averageHeartRate"]?.number ?? value["averageHeartRate"]?["qty"]?.number, rate > 0 {
            document[ElectrocardiogramDocument.averageHeartRate] = .quantity(.init(rate, unit: "count/min"))
        }
        let frequency = value["samplingFrequency"]?.number ?? value["samplingFrequency"]?["qty"]?.number
        if let frequency, frequency > 0 {
            document[ElectrocardiogramDocument.samplingFrequency] = .quantity(.init(frequency, unit: "Hz"))
        }
        let measurements = value["voltageMeasurements"]?.elements ?? []
        var times: [Double] = []
        var volts: [Double] = []
        for (index, measurement) in measurements.enumerated() {
            guard let voltage = measurement[first: "voltage", "qty"]?.number,
                let unit = AutoExportUnit(measurement["units"]?.text ?? "mcV", canonical: "V")
            else { throw IngestEntryError("“voltageMeasurements” has an element without a voltage.") }
            // A division of whole numbers is exact where a multiplication by a fraction is not.
            let scales: [String: Double] = ["mcV": 1e6, "mV": 1e3]
            // Dates have whole seconds, so the place of a measurement follows from the frequency.
            if let frequency, frequency > 0 {
                times.append(Double(index) / frequency)
            } else {
                times.append((dates.date(measurement["date"])?.instant ?? start) - start)
            }
            volts.append(voltage / (scales[unit.unit] ?? 1))
        }
        if !volts.isEmpty {
            document.series[ElectrocardiogramDocument.times] = times
            document.series[ElectrocardiogramDocument.voltages(lead: 1)] = volts
        }
        return IngestEntry(
            ObjectRecord(
                type: type.code, start: start, end: max(given, start), metadata: Metadata(metadata),
                body: .document(document)), source: value.sourceName)
    }

    /// Whether an electrocardiogram is saved as unrecognized, because its classification isn't known.
    static func hasUnknownClass(_ entry: IngestEntry) -> Bool {
        guard case .object(let object) = entry.item else { return false }
        return object.metadata[IngestMetadataKey.value] != nil
    }

    func heartRateNotification(_ value: JSONValue) throws(IngestEntryError) -> IngestEntry {
        let (start, end) = try dates(of: value)
        let threshold = value["threshold"]?.number ?? value["threshold"]?["qty"]?.number
        let rates = ["heartRate", "heartRateData"].flatMap { value[$0]?.elements ?? [] }.compactMap {
            $0[first: "hr", "value", "qty", "Avg"]?.number
        }
        let kind = value["heartNotification"]?.text?.lowercased().filter(\.isLetter) ?? ""
        let event = kind.replacing(/^hkcategorytypeidentifier|(notification|event|alert)$/, with: "")
        let name: String
        var metadata: [Metadata.Entry] = []
        if let known = Self.notifications[event] {
            name = known
        } else if !kind.isEmpty {
            throw IngestEntryError("It is a heart notification of an unknown kind.")
        } else if let threshold {
            guard !rates.isEmpty else {
                throw IngestEntryError("“heartRate” has no rates to compare with the threshold.")
            }
            let average = rates.reduce(0, +) / Double(rates.count)
            name = average >= threshold ? "HighHeartRateEvent" : "LowHeartRateEvent"
        } else {
            guard !(value["heartRateVariation"]?.elements ?? []).isEmpty else {
                throw IngestEntryError("“threshold” is missing.")
            }
            name = "IrregularHeartRhythmEvent"
        }
        if let threshold, threshold > 0, name != "IrregularHeartRhythmEvent" {
            metadata.append(.init(key: "HKHeartRateEventThreshold", value: .quantity(threshold, unit: "count/min")))
        }
        guard let type = TypeCatalog.description(for: "HKCategoryTypeIdentifier" + name) else { throw .unknownName }
        return IngestEntry(
            SampleRecord(type: type.code, start: start, end: end, value: 0, metadata: Metadata(metadata)),
            source: value.sourceName)
    }

    // MARK: Medications

    /// A dose, and the medication that it is a dose of.
    func medication(_ value: JSONValue) throws(IngestEntryError) -> [IngestEntry] {
        let (start, end) = try dates(of: value)
        guard let medication = TypeCatalog.description(for: "HKDataTypeIdentifierUserAnnotatedMedicationConcept"),
            let event = TypeCatalog.description(for: "HKDataTypeIdentifierMedicationDoseEvent")
        else { throw .unknownName }
        guard let name = value["displayText"]?.text else { throw IngestEntryError("“displayText” is missing.") }
        guard let status = Self.statuses[Self.words(value["status"])] else {
            throw IngestEntryError("“status” has an unknown value.")
        }
        let codings = (value["codings"]?.elements ?? []).compactMap { coding -> [String: FieldValue]? in
            guard let system = coding["system"]?.text, let code = coding["code"]?.text else { return nil }
            var fields: [String: FieldValue] = ["system": .string(system), "code": .string(code)]
            if let version = coding["version"]?.text { fields["version"] = .string(version) }
            return fields
        }
        let concept = "health-auto-export:" + AutoExportNames.normalized(name)
        var document = DocumentBody()
        document["nickname"] = value["nickname"]?.text.map { .string($0) }
        document["isArchived"] = .bool(value["isArchived"]?.flag ?? false)
        document["hasSchedule"] = .bool(value["scheduledDate"]?.text != nil)
        document["medicationConceptIdentifier"] = .string(concept)
        document["displayText"] = .string(name)
        document["generalForm"] = .string(
            "HKMedicationGeneralForm" + (Self.forms[Self.words(value["form"])] ?? "Unknown"))
        document["relatedCodings"] = .list(codings.map { .record($0) })
        var dose = DocumentBody()
        dose["medicationConceptIdentifier"] = .string(concept)
        dose["logStatus"] = .integer(status)
        dose["scheduleType"] = .integer(value["scheduledDate"]?.text == nil ? 1 : 2)
        if let scheduled = dates.date(value["scheduledDate"]) { dose["scheduledDate"] = .date(scheduled.instant) }
        if let amount = value["dosage"]?.number ?? value["dosage"]?["qty"]?.number {
            dose["doseQuantity"] = .double(amount)
        }
        dose["unit"] = .string("count")
        return [
            IngestEntry(ObjectRecord(type: medication.code, start: 0, end: 0, body: .document(document))),
            IngestEntry(
                ObjectRecord(type: event.code, start: start, end: end, body: .document(dose)),
                source: value.sourceName),
        ]
    }
}
