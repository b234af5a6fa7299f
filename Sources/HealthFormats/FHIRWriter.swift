import Foundation
import HealthEngine
import HealthJSON
import HealthModel
import HealthSQL

/// Writes resources as JSON.
struct FHIRWriter {
    let dictionaries: StoreDictionaries
    let identities: DerivedIdentities
    let clock: LocalClock
    /// The identifier of the person.
    let patient: UUID
    /// The reference of `subject`.
    let subject: String

    /// The codes of a type, LOINC first.
    private func codes(_ type: TypeDescription, unit: String = "") -> [FHIRCode] {
        FHIRCode.loinc(of: type, unit: unit) + [.identifier(type)]
    }

    /// A sample as an Observation.
    func observation(_ sample: SampleRecord, of type: TypeDescription) -> JSONText {
        resource(identities.identity(of: sample)) { json in
            begin(&json, codes(type, unit: sample.unit), FHIRCategory(of: type))
            about(&json, sample.start, sample.end, sample.creation, sample.revision, sample.device, sample.metadata)
            value(&json, sample, type)
        }
    }

    /// A correlation as an Observation with one component per sample.
    func observation(_ correlation: ObjectRecord, of type: TypeDescription) -> JSONText {
        resource(identities.identity(of: correlation)) { json in
            begin(&json, codes(type), FHIRCategory(of: type))
            about(&json, correlation)
            components(
                &json,
                correlation.members.compactMap { member in
                    dictionaries.type(member.type).map { type in
                        (codes(type, unit: member.unit), { value(&$0, member, type) })
                    }
                })
        }
    }

    /// A workout as an Observation: its activity and its totals.
    func observation(_ object: ObjectRecord, _ workout: WorkoutBody, of type: TypeDescription) -> JSONText {
        resource(identities.identity(of: object)) { json in
            begin(&json, [.identifier(type)], .activity)
            about(&json, object)
            let activity = ValueNames.activity(workout.activityType) ?? String(workout.activityType)
            value(&json, activity, of: "HKWorkoutActivityType")
            func total(_ name: String, _ quantity: QuantityRecord?) -> Component? {
                quantity.map { quantity in
                    ([FHIRCode.own("HKWorkout.\(name)", name)], { self.quantity(&$0, quantity, of: "") })
                }
            }
            let statistics: [Component] = workout.statistics.compactMap { figures in
                guard let figure = figures.sum ?? figures.average else { return nil }
                let type = dictionaries.type(identifier: figures.type)
                let code = type.map(FHIRCode.identifier) ?? .own(figures.type, figures.type)
                return ([code], { quantity(&$0, QuantityRecord(figure, unit: figures.unit), of: figures.type) })
            }
            components(
                &json,
                [
                    total("duration", QuantityRecord(workout.duration, unit: "s")),
                    total("totalEnergyBurned", workout.totalEnergyBurned),
                    total("totalDistance", workout.totalDistance),
                    total("totalSwimmingStrokeCount", workout.totalSwimmingStrokeCount),
                    total("totalFlightsClimbed", workout.totalFlightsClimbed),
                ].compactMap { $0 } + statistics)
        }
    }

    /// An electrocardiogram as an Observation with its voltages as sampled data.
    func electrocardiogram(_ object: ObjectRecord, _ document: DocumentBody, of type: TypeDescription) -> JSONText {
        resource(identities.identity(of: object)) { json in
            begin(&json, codes(type), .procedure)
            about(&json, object)
            var parts: [Component] = []
            if case .quantity(let rate) = document[ElectrocardiogramDocument.averageHeartRate] {
                parts.append(([.loinc("8867-4", "Heart rate")], { quantity(&$0, rate, of: "") }))
            }
            let times = document.series[ElectrocardiogramDocument.times] ?? []
            for (lead, volts) in ElectrocardiogramDocument.leads(in: document.series) {
                guard times.count == volts.count, times.count > 1, let first = times.first, let last = times.last else {
                    continue
                }
                let code = FHIRCode.own("HKElectrocardiogram.lead.\(lead)", "Lead \(lead)")
                let period = (last - first) * 1_000 / Double(times.count - 1)
                guard period.isFinite else { continue }
                parts.append(
                    ([code], { sampled(&$0, volts.map { ($0 * 1e9).rounded() / 1e3 }, "mcV", period: period) }))
            }
            components(&json, parts)
        }
    }

    /// The person as a Patient.
    func person(_ profile: Profile) -> JSONText {
        var json = JSONText()
        json.object { json in
            json.member("resourceType", text: "Patient")
            json.member("id", text: patient.uuidString.lowercased())
            if let sex = profile.biologicalSex, (1...3).contains(sex) {
                json.member("gender", text: ["female", "male", "other"][sex - 1])
            }
            if let day = profile.dateOfBirth {
                json.member(
                    "birthDate",
                    text: LocalClock.dayText(
                        number: CivilDate.dayNumber(year: day.year, month: day.month, day: day.day)))
            }
        }
        return json
    }

    // MARK: Parts of observations

    typealias Component = (codes: [FHIRCode], value: (inout JSONText) -> Void)

    func resource(_ id: UUID, _ body: (inout JSONText) -> Void) -> JSONText {
        var json = JSONText()
        json.object { json in
            json.member("resourceType", text: "Observation")
            json.member("id", text: id.uuidString.lowercased())
            body(&json)
        }
        return json
    }

    func begin(_ json: inout JSONText, _ codes: [FHIRCode], _ category: FHIRCategory?) {
        json.member("status", text: "final")
        if let category {
            json.array("category") { json in concept(&json, [category.code]) }
        }
        json.key("code")
        concept(&json, codes)
        json.object("subject", ["reference": subject])
    }

    func about(_ json: inout JSONText, _ object: ObjectRecord) {
        about(&json, object.start, object.end, object.creation, object.revision, object.device, object.metadata)
    }

    private func about(
        _ json: inout JSONText, _ start: Double, _ end: Double, _ creation: Double?,
        _ revision: SourceRevisionRecord?, _ device: DeviceRecord?, _ metadata: Metadata
    ) {
        if start == end {
            json.member("effectiveDateTime", text: clock.text(start))
        } else {
            json.object("effectivePeriod", ["start": clock.text(start), "end": clock.text(end)])
        }
        json.member("issued", text: creation.map(clock.text))
        if let source = revision?.source {
            let system = "https://openhealthkit.org/fhir/bundle-identifier"
            json.array("performer") { json in
                json.object { json in
                    json.object("identifier", ["system": system, "value": source.bundleIdentifier])
                    json.member("display", text: source.name)
                }
            }
        }
        if let name = device.flatMap({ $0.name ?? $0.model ?? $0.hardwareVersion }) {
            json.object("device", ["display": name])
        }
        guard let text = JSONText.metadata(metadata, InstantWriter(clock: clock)) else { return }
        json.array("note") { json in json.object(["text": "HealthKit metadata: " + text]) }
    }

    private func value(_ json: inout JSONText, _ sample: SampleRecord, _ type: TypeDescription) {
        guard type.kind == .category else {
            return quantity(&json, QuantityRecord(sample.value, unit: sample.unit), of: type.identifier)
        }
        guard let number = Int(exactly: sample.value) else { return absent(&json, sample.value) }
        let name = ValueNames.name(of: number, of: type) ?? String(number)
        value(&json, name, of: type.categoryEnumeration ?? type.identifier)
    }

    private func value(_ json: inout JSONText, _ name: String, of enumeration: String) {
        json.key("valueCodeableConcept")
        concept(&json, [FHIRCode(system: FHIRCode.valueSystem, code: "\(enumeration).\(name)", display: name)])
    }

    func quantity(_ json: inout JSONText, _ record: QuantityRecord, of type: String) {
        let quantity = FHIRQuantity(record.value, record.unit, of: type)
        // JSON has no representation of NaN and infinity.
        guard quantity.value.isFinite else { return absent(&json, quantity.value) }
        json.object("valueQuantity") { json in
            json.key("value")
            json.number(quantity.value)
            json.member("unit", text: quantity.unit)
            guard let code = quantity.code else { return }
            json.member("system", text: "http://unitsofmeasure.org")
            json.member("code", text: code)
        }
    }

    private func absent(_ json: inout JSONText, _ value: Double) {
        var (code, display) = ("not-a-number", "Not a Number (NaN)")
        if value == .infinity { (code, display) = ("positive-infinity", "Positive Infinity (PINF)") }
        if value == -.infinity { (code, display) = ("negative-infinity", "Negative Infinity (NINF)") }
        json.key("dataAbsentReason")
        concept(
            &json,
            [FHIRCode(system: "http://terminology.hl7.org/CodeSystem/data-absent-reason", code: code, display: display)]
        )
    }

    /// Values at equal distances of `period` milliseconds; NaN where there is none.
    func sampled(_ json: inout JSONText, _ values: [Double], _ unit: String, period: Double) {
        json.object("valueSampledData") { json in
            json.object("origin") { json in
                json.member("value", integer: 0)
                let code = UCUM.code(unit)
                json.member("unit", text: code ?? unit)
                guard let code else { return }
                json.member("system", text: "http://unitsofmeasure.org")
                json.member("code", text: code)
            }
            json.key("period")
            json.number(period)
            json.key("dimensions")
            json.integer(1)
            json.member(
                "data",
                text: values.map { $0.isNaN ? "E" : ShortestNumber.shortest($0) ?? "E" }.joined(separator: " "))
        }
    }

    func components(_ json: inout JSONText, _ components: [Component]) {
        guard !components.isEmpty else { return }
        json.array("component") { json in
            for component in components {
                json.object { json in
                    json.key("code")
                    concept(&json, component.codes)
                    component.value(&json)
                }
            }
        }
    }

    private func concept(_ json: inout JSONText, _ codes: [FHIRCode]) {
        json.object { json in
            json.array("coding") { json in
                for code in codes {
                    json.object(["system": code.system, "code": code.code, "display": code.display])
                }
            }
        }
    }
}

extension DerivedIdentities {
    /// The identity of a sample: its UUID, or the one derived from its sequence number. Exports never invent one.
    func identity(of sample: SampleRecord) -> UUID { sample.uuid ?? uuid(for: sample.sequence) }

    /// The identity of an object: its UUID, or the one derived from its sequence number.
    func identity(of object: ObjectRecord) -> UUID { object.uuid ?? uuid(for: object.sequence) }
}
