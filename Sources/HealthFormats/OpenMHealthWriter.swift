import Foundation
import HealthEngine
import HealthJSON
import HealthModel

/// Writes data points as JSON.
struct OpenMHealthWriter {
    let identities: DerivedIdentities
    let clock: LocalClock

    /// A measurement; `nil` if its unit isn't of the kind that the schema has.
    func point(_ sample: SampleRecord, of type: TypeDescription) -> JSONText? {
        guard let schema = OpenMHealthSchema.quantities[type.identifier],
            let unit = schema.units.first(where: { $0.healthKit == sample.unit })
                ?? schema.units.first(where: { UnitConversion(between: sample.unit, and: $0.healthKit) != nil }),
            let value = UnitConversion(between: sample.unit, and: unit.healthKit)?(sample.value), value.isFinite
        else { return nil }
        return point(
            schema.id, identities.identity(of: sample), created: sample.creation ?? sample.end,
            isEntered: sample.metadata.wasUserEntered
        ) { json in
            amount(&json, schema.member, value * unit.factor, unit.name)
            frame(&json, sample.start, sample.end, isInterval: schema.isInterval)
            for (name, text) in schema.texts { json.member(name, text: text) }
        }
    }

    /// A workout.
    func point(_ object: ObjectRecord, _ workout: WorkoutBody) -> JSONText {
        point(
            .ieee("physical-activity"), identities.identity(of: object), created: object.creation ?? object.end,
            isEntered: object.metadata.wasUserEntered
        ) { json in
            json.member("activity_name", text: ValueNames.activity(workout.activityType) ?? "workout")
            frame(&json, object.start, object.end, isInterval: true)
            amount(&json, "duration", workout.duration, "sec")
            if let distance = converted(workout.total(.distance), "m") { amount(&json, "distance", distance, "m") }
            if let energy = converted(workout.total(.energyBurned), "kcal") {
                amount(&json, "kcal_burned", energy, "kcal")
            }
        }
    }

    /// A blood pressure; `nil` without both of its values.
    func bloodPressure(_ object: ObjectRecord, dictionaries: StoreDictionaries) -> JSONText? {
        func value(_ name: String) -> Double? {
            object.members.first {
                dictionaries.type($0.type)?.identifier == "HKQuantityTypeIdentifierBloodPressure" + name
            }
            .flatMap { converted(QuantityRecord($0.value, unit: $0.unit), "mmHg") }
        }
        guard let systolic = value("Systolic"), let diastolic = value("Diastolic") else { return nil }
        return point(
            .omh("blood-pressure", "4.0"), identities.identity(of: object), created: object.creation ?? object.end,
            isEntered: object.metadata.wasUserEntered
        ) { json in
            amount(&json, "systolic_blood_pressure", systolic, "mmHg")
            amount(&json, "diastolic_blood_pressure", diastolic, "mmHg")
            frame(&json, object.start, object.end)
        }
    }

    /// The time between going to bed and getting up.
    func timeInBed(_ sample: SampleRecord) -> JSONText {
        point(
            .ieee("time-in-bed"), identities.identity(of: sample), created: sample.creation ?? sample.end,
            isEntered: sample.metadata.wasUserEntered
        ) { json in
            amount(&json, "time_in_bed", sample.end - sample.start, "sec")
            frame(&json, sample.start, sample.end, isInterval: true)
        }
    }

    /// An episode of sleep, with the identity of its first sample.
    func point(_ episode: SleepEpisodes.Episode) -> JSONText {
        point(
            .ieee("sleep-episode"), identities.identity(of: episode.first),
            created: episode.first.creation ?? episode.end, isEntered: episode.first.metadata.wasUserEntered
        ) { json in
            frame(&json, episode.start, episode.end, isInterval: true)
            amount(&json, "total_sleep_time", episode.asleep, "sec")
            for (name, seconds) in [
                ("light_sleep_duration", episode.seconds[3]), ("deep_sleep_duration", episode.seconds[4]),
                ("rem_sleep_duration", episode.seconds[5]), ("wake_after_sleep_onset", episode.seconds[2]),
            ] {
                if let seconds { amount(&json, name, seconds, "sec") }
            }
            if episode.awakenings > 0 { json.member("number_of_awakenings", integer: episode.awakenings) }
        }
    }

    // MARK: - Parts

    private func point(
        _ schema: OpenMHealthSchema.Identifier, _ uuid: UUID, created: Double, isEntered: Bool,
        _ body: (inout JSONText) -> Void
    ) -> JSONText {
        var json = JSONText()
        json.object { json in
            json.object("header") { json in
                json.member("uuid", text: uuid.uuidString.lowercased())
                json.object(
                    "schema_id", ["namespace": schema.namespace, "name": schema.name, "version": schema.version])
                json.member("source_creation_date_time", text: clock.text(created))
                json.member("modality", text: isEntered ? "self-reported" : "sensed")
            }
            json.object("body", body)
        }
        return json
    }

    private func amount(_ json: inout JSONText, _ name: String, _ value: Double, _ unit: String) {
        json.object(name) { json in
            // What is beyond is the error of a conversion.
            let rounded = abs(value) < 1e6 ? (value * 1e9).rounded() / 1e9 : value
            json.member("value", number: rounded)
            json.member("unit", text: unit)
        }
    }

    /// A moment, or an interval.
    private func frame(_ json: inout JSONText, _ start: Double, _ end: Double, isInterval: Bool = false) {
        json.object("effective_time_frame") { json in
            guard isInterval || end > start else { return json.member("date_time", text: clock.text(start)) }
            json.object(
                "time_interval", ["start_date_time": clock.text(start), "end_date_time": clock.text(end)])
        }
    }

    private func converted(_ quantity: QuantityRecord?, _ unit: String) -> Double? {
        quantity.flatMap { UnitConversion(between: $0.unit, and: unit)?($0.value) }
    }
}

/// The samples of one source, as episodes of sleep.
struct SleepEpisodes {
    /// Sleep with what interrupted it, from its onset to the final awakening.
    struct Episode {
        let first: SampleRecord
        var start: Double
        var end: Double
        /// Seconds by the value of samples: asleep 1, awake 2, core 3, deep 4, REM 5.
        var seconds: [Int: Double] = [:]
        var awakenings = 0

        /// The seconds of all kinds of sleep.
        var asleep: Double { seconds.reduce(0) { $0 + ($1.key == 2 ? 0 : $1.value) } }
    }

    /// Seconds without a sample after which another episode begins.
    private static let longestGap = 3_600.0

    private(set) var open: Episode?
    /// The end of what the open episode and the time since then have samples of.
    private var end = -Double.infinity
    /// The seconds awake since the open episode, which belong to it if more sleep follows.
    private var awake = 0.0

    /// Adds the next sample. Returns the episode that ended before it.
    mutating func add(_ sample: SampleRecord) -> Episode? {
        var ended: Episode?
        if let before = open, sample.start - end > Self.longestGap {
            ended = before
            open = nil
        }
        let isAwake = sample.value == 2
        if open == nil {
            if isAwake { return ended }
            open = Episode(first: sample, start: sample.start, end: sample.start)
            (end, awake) = (sample.start, 0)
        }
        // Of samples that overlap, time counts once.
        let seconds = max(0, sample.end - max(sample.start, end))
        end = max(end, sample.end)
        if isAwake {
            awake += seconds
        } else {
            if awake > 0 {
                open?.seconds[2, default: 0] += awake
                open?.awakenings += 1
                awake = 0
            }
            if seconds > 0 { open?.seconds[Int(sample.value), default: 0] += seconds }
            open?.end = end
        }
        return ended
    }
}
