import Foundation
import HealthEngine
import HealthJSON
import HealthModel

extension IngestWorkout {
    private static let heartRate = "HKQuantityTypeIdentifierHeartRate"

    /// A workout of a document, in its first or second version.
    init(_ value: JSONValue, dates: AutoExportDateReader) throws(IngestEntryError) {
        guard value.members != nil else { throw .noObject }
        guard let type = TypeCatalog.description(for: "HKWorkoutTypeIdentifier"),
            let start = dates.date(value["start"])?.instant, let end = dates.date(value["end"])?.instant
        else { throw IngestEntryError("“start” or “end” is missing or not a date.") }
        guard end >= start else { throw .dates }
        var uuid: UUID?
        if let id = value["id"], id != .null {
            guard let text = id.text, let parsed = UUID(uuidString: text) else {
                throw IngestEntryError("“id” is not a UUID.")
            }
            uuid = parsed
        }
        guard let name = value["name"]?.text else { throw IngestEntryError("“name” is missing.") }
        let activity = AutoExportNames.activity(name)
        var fields = WorkoutFields(value, start: start, end: end, activity: activity ?? 3_000)
        if activity == nil {
            unknownName = String(name.prefix(100))
            fields.metadata.append(.init(key: IngestMetadataKey.name, value: .string(String(name.prefix(100)))))
        }
        let rates = Self.heartRates(value["heartRateData"], dates: dates)
        let recovery = Self.heartRates(value["heartRateRecovery"], dates: dates)
        // The two minutes after the workout can be among the heart rates of the workout.
        during = rates.filter { $0.start >= start && $0.start < max(end, start + 1) }
        var seen = Set(during.map(\.start))
        after = (rates + recovery).filter { ($0.start < start || $0.start >= end) && seen.insert($0.start).inserted }
        fields.addHeartRate(of: value["heartRate"], during: during, isComplete: during.count == rates.count)
        let sources = Set((rates + recovery).compactMap(\.source))
        entry = IngestEntry(
            ObjectRecord(
                uuid: uuid, type: type.code, start: start, end: end, metadata: Metadata(fields.metadata),
                body: .workout(fields.body)),
            source: value.sourceName ?? (sources.count == 1 ? sources.first : nil))
        if let route = Self.route(value["route"], dates: dates) { entry.parts = [route] }
        efforts = ["workoutEffort", "estimatedWorkoutEffort"].compactMap {
            Self.effort(value, $0, start: start, end: end, source: entry.source)
        }
    }

    /// The person's rating of the effort, or its estimate.
    private static func effort(
        _ value: JSONValue, _ name: String, start: Double, end: Double, source: String?
    ) -> IngestEntry? {
        let identifier = "HKQuantityTypeIdentifier" + name.prefix(1).uppercased() + name.dropFirst() + "Score"
        let short = name == "workoutEffort" ? "effort" : "estimatedEffort"
        let score = value[first: name + "Score", name, short + "Score", short]
        guard let type = TypeCatalog.description(for: identifier), let unit = type.canonicalUnit,
            let number = score?.number ?? score?["qty"]?.number, number > 0, number <= 10
        else { return nil }
        return IngestEntry(
            SampleRecord(uuid: UUID(), type: type.code, start: start, end: end, value: number, unit: unit),
            source: source, summary: .workout)
    }

    private static func heartRates(_ value: JSONValue?, dates: AutoExportDateReader) -> [IngestEntry] {
        guard let type = TypeCatalog.description(for: heartRate) else { return [] }
        return (value?.elements ?? []).compactMap { entry in
            guard let date = dates.date(entry["date"]), let rate = entry[first: "Avg", "avg", "qty"]?.number, rate > 0,
                let unit = AutoExportUnit(entry["units"]?.text ?? "bpm", for: type)
            else { return nil }
            var metadata: [Metadata.Entry] = []
            var end = date.instant
            if let low = entry[first: "Min", "min"]?.number, let high = entry[first: "Max", "max"]?.number, low != high
            {
                end += date.secondOfDay % 60 == 0 ? 60 : 0
                for (key, bound) in [(IngestMetadataKey.minimum, low), (IngestMetadataKey.maximum, high)] {
                    let quantity = unit(bound)
                    metadata.append(.init(key: key, value: .quantity(quantity.value, unit: quantity.unit)))
                }
            }
            let quantity = unit(rate)
            return IngestEntry(
                SampleRecord(
                    type: type.code, start: date.instant, end: end, value: quantity.value, unit: quantity.unit,
                    metadata: Metadata(metadata)), source: entry.sourceName, summary: .workout)
        }
    }

    /// The route; `nil` for fewer than two points. Points without a place or time are left out.
    private static func route(_ value: JSONValue?, dates: AutoExportDateReader) -> ObjectRecord? {
        guard let type = TypeCatalog.description(for: "HKWorkoutRouteTypeIdentifier") else { return nil }
        var points: [(time: Double, point: JSONValue)] = []
        for point in value?.elements ?? [] {
            guard let time = dates.date(point["timestamp"])?.instant,
                let latitude = point[first: "latitude", "lat"]?.number, abs(latitude) <= 90,
                let longitude = point[first: "longitude", "lon"]?.number, abs(longitude) <= 180
            else { continue }
            points.append((time, point))
        }
        points.sort { $0.time < $1.time }
        guard let first = points.first, let last = points.last, points.count > 1 else { return nil }
        var document = DocumentBody()
        func column(_ column: RouteDocument.Column, _ value: (Double, JSONValue) -> Double) {
            document.series[column.rawValue] = points.map { value($0.time, $0.point) }
        }
        column(.timestamps) { time, _ in time }
        column(.latitudes) { $1[first: "latitude", "lat"]?.number ?? 0 }
        column(.longitudes) { $1[first: "longitude", "lon"]?.number ?? 0 }
        column(.altitudes) { $1["altitude"]?.number ?? 0 }
        // A negative accuracy says that a property is unknown.
        column(.horizontalAccuracies) { $1["horizontalAccuracy"]?.number ?? 0 }
        column(.verticalAccuracies) { $1["verticalAccuracy"]?.number ?? ($1["altitude"] == nil ? -1 : 0) }
        column(.courses) { $1["course"]?.number ?? -1 }
        column(.courseAccuracies) { $1["courseAccuracy"]?.number ?? -1 }
        column(.speeds) { $1["speed"]?.number ?? -1 }
        column(.speedAccuracies) { $1["speedAccuracy"]?.number ?? -1 }
        return ObjectRecord(type: type.code, start: first.time, end: last.time, body: .document(document))
    }
}

/// The body and metadata of a workout.
private struct WorkoutFields {
    var body: WorkoutBody
    var metadata: [Metadata.Entry] = []

    private let start: Double
    private let end: Double

    init(_ value: JSONValue, start: Double, end: Double, activity: UInt) {
        self.start = start
        self.end = end
        let seconds = value["duration"]?.number ?? end - start
        body = WorkoutBody(
            activityType: activity, duration: seconds >= 0 && seconds <= end - start + 1 ? seconds : end - start)
        body.totalEnergyBurned = Self.quantity(value["activeEnergyBurned"] ?? value["activeEnergy"], "kcal")
        body.totalDistance = Self.quantity(value["distance"], "m")
        body.totalSwimmingStrokeCount = Self.quantity(value["totalSwimmingStrokeCount"], "count")
        body.totalFlightsClimbed = Self.quantity(value["flightsClimbed"], "count")
        addPlace(value)
        addMeasurements(value)
        addStatistics(value, activity: activity)
    }

    /// A quantity written as `{"qty", "units"}`; for older installations also as a number in the usual unit.
    private static func quantity(_ value: JSONValue?, _ canonical: String) -> QuantityRecord? {
        guard let number = value?["qty"]?.number,
            let unit = AutoExportUnit(value?["units"]?.text ?? canonical, canonical: canonical)
        else { return nil }
        let quantity = unit(number)
        return quantity.value.isFinite ? quantity : nil
    }

    private mutating func addPlace(_ value: JSONValue) {
        let location = AutoExportNames.normalized(value["location"]?.text ?? "")
        if let isIndoor = value["isIndoor"]?.flag ?? ["indoor": true, "outdoor": false][location] {
            metadata.append(.init(key: "HKIndoorWorkout", value: .bool(isIndoor)))
        }
        if let place = IngestWorkout.places[location] {
            metadata.append(.init(key: "HKSwimmingLocationType", value: .integer(Int64(place))))
        }
        if let stroke = value["strokeStyle"]?.text.flatMap({ IngestWorkout.strokes[AutoExportNames.normalized($0)] }) {
            metadata.append(.init(key: "HKSwimmingStrokeStyle", value: .integer(Int64(stroke))))
        }
        if let salinity = value["salinity"]?.text.flatMap({ IngestWorkout.salinities[AutoExportNames.normalized($0)] })
        {
            metadata.append(.init(key: "HKMetadataKeyWaterSalinity", value: .integer(Int64(salinity))))
        }
        if let score = value["swolfScore"]?.number ?? value["swolfScore"]?["qty"]?.number {
            metadata.append(.init(key: "HKSWOLFScore", value: .double(score)))
        }
    }

    private mutating func addMeasurements(_ value: JSONValue) {
        func add(_ key: String, _ quantity: QuantityRecord?) {
            guard let quantity else { return }
            metadata.append(.init(key: key, value: .quantity(quantity.value, unit: quantity.unit)))
        }
        let unit = value["elevation"]?["units"]
        func elevation(_ name: String) -> JSONValue? {
            value["elevation"]?[name].map { .object(JSONMembers(["qty": $0, "units": unit ?? .string("m")])) }
        }
        add("HKElevationAscended", Self.quantity(value["elevationUp"] ?? elevation("ascent"), "m"))
        add("HKElevationDescended", Self.quantity(value["elevationDown"] ?? elevation("descent"), "m"))
        // Old installations misspell the intensity.
        add("HKAverageMETs", Self.quantity(value["intensity"] ?? value["intesity"], "kcal/hr·kg"))
        add("HKAverageSpeed", Self.quantity(value["avgSpeed"] ?? value["speed"], "m/s"))
        add("HKMaximumSpeed", Self.quantity(value["maxSpeed"], "m/s"))
        add("HKWeatherTemperature", Self.quantity(value["temperature"], "degC"))
        add("HKWeatherHumidity", Self.quantity(value["humidity"], "%"))
        add("HKLapLength", Self.quantity(value["lapLength"], "m"))
    }

    /// Series of totals become statistics: the same samples are usually posted as metrics, too.
    private mutating func addStatistics(_ value: JSONValue, activity: UInt) {
        func sum(_ name: String, _ identifier: String, total: QuantityRecord? = nil) {
            let type = "HKQuantityTypeIdentifier" + identifier
            guard let unit = TypeCatalog.description(for: type)?.canonicalUnit else { return }
            var amount = total
            if amount == nil, let entries = value[name]?.elements, !entries.isEmpty {
                let parts = entries.compactMap { Self.quantity($0, unit) }
                if let first = parts.first, parts.allSatisfy({ $0.unit == first.unit }) {
                    amount = QuantityRecord(parts.reduce(0) { $0 + $1.value }, unit: first.unit)
                }
            }
            guard let amount, amount.value.isFinite else { return }
            body.statistics.append(.init(type: type, start: start, end: end, unit: amount.unit, sum: amount.value))
        }
        func average(_ name: String, _ identifier: String) {
            let type = "HKQuantityTypeIdentifier" + identifier
            guard let unit = TypeCatalog.description(for: type)?.canonicalUnit else { return }
            let parts = (value[name]?.elements ?? []).compactMap { Self.quantity($0, unit) }
            guard let first = parts.first, parts.allSatisfy({ $0.unit == first.unit }) else { return }
            let values = parts.map(\.value)
            body.statistics.append(
                .init(
                    type: type, start: start, end: end, unit: first.unit,
                    average: values.reduce(0, +) / Double(values.count), minimum: values.min(), maximum: values.max()))
        }
        sum("activeEnergy", "ActiveEnergyBurned", total: body.totalEnergyBurned)
        let basal = Self.quantity(value["totalEnergy"], "kcal").flatMap { total -> QuantityRecord? in
            guard let active = body.totalEnergyBurned, active.unit == total.unit, total.value >= active.value else {
                return nil
            }
            return QuantityRecord(total.value - active.value, unit: total.unit)
        }
        sum("basalEnergy", "BasalEnergyBurned", total: value["basalEnergy"]?.elements == nil ? basal : nil)
        sum("stepCount", "StepCount")
        let distances = [13: ("cyclingDistance", "DistanceCycling"), 46: ("swimDistance", "DistanceSwimming")]
        let walks: Set<UInt> = [37, 52, 24]
        let own = distances[Int(activity)] ?? ("walkingAndRunningDistance", "DistanceWalkingRunning")
        sum(own.0, own.1, total: distances[Int(activity)] != nil || walks.contains(activity) ? body.totalDistance : nil)
        sum("swimStroke", "SwimmingStrokeCount", total: body.totalSwimmingStrokeCount)
        average("cyclingCadence", "CyclingCadence")
        average("cyclingPower", "CyclingPower")
        average("cyclingSpeed", "CyclingSpeed")
    }

    /// The heart rate's statistics: those of the entries within the workout if others had to be left out, else those
    /// given.
    mutating func addHeartRate(of value: JSONValue?, during: [IngestEntry], isComplete: Bool) {
        func bound(_ name: String) -> Double? { value?[name]?["qty"]?.number ?? value?[name]?.number }
        var rates: (average: Double?, minimum: Double?, maximum: Double?) = (bound("avg"), bound("min"), bound("max"))
        if !isComplete || rates.average == nil, !during.isEmpty {
            var values: [Double] = []
            var lows: [Double] = []
            var highs: [Double] = []
            for case .sample(let sample) in during.map(\.item) {
                values.append(sample.value)
                if case .quantity(let low, _) = sample.metadata[IngestMetadataKey.minimum] { lows.append(low) }
                if case .quantity(let high, _) = sample.metadata[IngestMetadataKey.maximum] { highs.append(high) }
            }
            rates = (values.reduce(0, +) / Double(values.count), (values + lows).min(), (values + highs).max())
        }
        guard let average = rates.average else { return }
        body.statistics.append(
            .init(
                type: "HKQuantityTypeIdentifierHeartRate", start: start, end: end, unit: "count/min", average: average,
                minimum: rates.minimum, maximum: rates.maximum))
    }
}
