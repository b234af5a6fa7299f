import Foundation
import HealthEngine
import HealthModel

/// The replacements of everything that identifies a person, for one redacted copy.
///
/// Everything is replaced consistently: what was equal stays equal, and what was different stays different. Nothing
/// that is written depends on an original text.
struct Redaction {
    /// The shift of all dates, in seconds: whole weeks, so that days of the week and times of day stay.
    let shift: Double
    /// The largest change of a quantity, as a share of it.
    private let jitter: Double
    private let seed: UInt64
    private var random: RedactionRandom
    /// The angle by which routes are turned, in radians.
    private let turn: Double
    private var texts: [String: String] = [:]
    private var keys: [String: String] = [:]
    private var identities: [UUID: UUID] = [:]
    private var sources: [SourceRecord: SourceRecord] = [:]
    private var devices: [DeviceRecord: DeviceRecord] = [:]
    private var versions: [String: String] = [:]
    private(set) var routes = 0

    init(seed: UInt64, jitter: Double) {
        self.seed = seed
        self.jitter = jitter
        var secret = RedactionRandom(state: seed)
        shift = -Double(52 + secret.next() % 469) * 7 * 86_400
        turn = Double(secret.next() % 360_000) / 360_000 * 2 * .pi
        // UUIDs are written, and the state of their numbers can be computed from one. Half of a hash says nothing of the
        // seed and the shift.
        random = RedactionRandom(state: secret.next() >> 32)
    }

    var weeks: Int { Int((-shift / 86_400 / 7).rounded()) }
    var counts: (sources: Int, devices: Int, texts: Int, keys: Int, identities: Int) {
        (sources.count, devices.count, texts.count, keys.count, identities.count)
    }

    // MARK: Names and identifiers

    mutating func identity(_ uuid: UUID) -> UUID {
        if let known = identities[uuid] { return known }
        var halves = (random.next(), random.next())
        let new = withUnsafeBytes(of: &halves) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        identities[uuid] = new
        return new
    }

    mutating func text(_ text: String) -> String {
        Self.numbered(text, "Text", in: &texts)
    }

    private static func numbered(_ text: String, _ word: String, in known: inout [String: String]) -> String {
        if let known = known[text] { return known }
        let new = "\(word) \(known.count + 1)"
        known[text] = new
        return new
    }

    /// Apple Watches and iPhones are still recognized as such, because their samples come first in statistics.
    private static func product(_ text: String?) -> String? {
        guard let text else { return nil }
        return ["Watch", "iPhone", "iPad", "iPod"].first(where: text.hasPrefix).map { $0 + "1,1" }
    }

    private mutating func version(_ text: String?) -> String? {
        text.map { text in
            if let known = versions[text] { return known }
            let new = "1.\(versions.count)"
            versions[text] = new
            return new
        }
    }

    mutating func source(_ source: SourceRecord) -> SourceRecord {
        if let known = sources[source] { return known }
        let number = sources.count + 1
        let (device, health) = ("com.apple.health.", "com.apple.Health")
        let identifier: String =
            if source.bundleIdentifier == health || source.bundleIdentifier.isEmpty {
                source.bundleIdentifier
            } else if source.bundleIdentifier.hasPrefix(device) {
                device
                    + "00000000-0000-0000-0000-\(String(repeating: "0", count: max(0, 12 - "\(number)".count)))\(number)"
            } else {
                "org.example.source\(number)"
            }
        let new = SourceRecord(bundleIdentifier: identifier, name: "Source \(number)")
        sources[source] = new
        return new
    }

    mutating func revision(_ revision: SourceRevisionRecord) -> SourceRevisionRecord {
        SourceRevisionRecord(
            source: source(revision.source), version: version(revision.version),
            productType: Self.product(revision.productType))
    }

    mutating func device(_ device: DeviceRecord) -> DeviceRecord {
        if let known = devices[device] { return known }
        let models = ["Watch", "iPhone", "iPad", "iPod"]
        let number = devices.count + 1
        let new = DeviceRecord(
            name: device.name.map { _ in "Device \(number)" },
            manufacturer: device.manufacturer.map { _ in "Manufacturer" },
            model: device.model.map { model in models.contains(model) ? model : "Model \(number)" },
            hardwareVersion: device.hardwareVersion.map { Self.product($0) ?? "1" },
            firmwareVersion: version(device.firmwareVersion), softwareVersion: version(device.softwareVersion),
            localIdentifier: device.localIdentifier.map { _ in "\(number)" },
            udiDeviceIdentifier: device.udiDeviceIdentifier.map { _ in "\(number)" })
        devices[device] = new
        return new
    }

    // MARK: Values

    /// A quantity with its jitter, which is the same for equal samples, also as a member of an object. Whole numbers
    /// stay whole.
    func value(_ value: Double, at start: Double) -> Double {
        guard jitter > 0, value.isFinite else { return value }
        let new = value * factor(of: value, at: start)
        return value == value.rounded() ? new.rounded() : new
    }

    private func factor(of value: Double, at start: Double) -> Double {
        guard jitter > 0 else { return 1 }
        var random = RedactionRandom(state: seed ^ value.bitPattern ^ start.bitPattern.byteSwapped)
        let share = Double(random.next() >> 11) / Double(UInt64(1) << 53)
        return 1 + jitter * (2 * share - 1)
    }

    private func quantity(_ quantity: QuantityRecord?, at start: Double) -> QuantityRecord? {
        guard var quantity else { return nil }
        quantity.value = value(quantity.value, at: start)
        return quantity
    }

    mutating func metadata(_ metadata: Metadata, at start: Double) -> Metadata {
        var result = Metadata()
        for entry in metadata.entries where !entry.key.hasPrefix("_") {
            let isKnown = MetadataRules.expectations[entry.key] != nil
            let key = isKnown ? entry.key : Self.numbered(entry.key, "Key", in: &keys)
            // The number of an unknown key may be that of a patient, and a version is often the time it was saved.
            let staysNumber = isKnown && entry.key != MetadataKey.syncVersion
            guard let value = value(entry.value, of: entry.key, staysNumber, at: start) else { continue }
            result.entries.append(Metadata.Entry(key: key, value: value))
        }
        for var entry in metadata.entries where entry.key.hasPrefix(MetadataKey.seriesPrefix) {
            let isInstant = [MetadataKey.seriesLatestStart, MetadataKey.seriesLatestEnd].contains(entry.key)
            if isInstant, case .double(let instant) = entry.value { entry.value = .double(instant + shift) }
            if isInstant, case .date(let instant) = entry.value { entry.value = .date(instant + shift) }
            entry.archivedText = nil
            result.entries.append(entry)
        }
        return result
    }

    private mutating func value(
        _ value: MetadataValue, of key: String, _ staysNumber: Bool, at start: Double
    ) -> MetadataValue? {
        switch value {
        case .string(let name) where key == MetadataKey.timeZone: return zone(name, at: start).map { .string($0) }
        case .string(let text): return .string(self.text(text))
        case .date(let date): return .date(date + shift)
        case .bool: return value
        case .integer(let number): return staysNumber ? value : .integer(numbered("\(number)"))
        case .double(let number): return staysNumber ? value : .double(Double(numbered("\(number)")))
        case .quantity(let number, let unit):
            return .quantity(
                staysNumber ? self.value(number, at: start) : Double(numbered("\(number) \(unit)")), unit: unit)
        }
    }

    private mutating func numbered(_ number: String) -> Int64 {
        Int64(text("number " + number).dropFirst("Text ".count)) ?? 0
    }

    /// A zone without a place, with the offset that the time zone had; `nil` where it isn’t of whole hours.
    private func zone(_ name: String, at start: Double) -> String? {
        guard let zone = TimeZone(identifier: name) else { return nil }
        let seconds = zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: start))
        guard seconds % 3_600 == 0 else { return nil }
        // POSIX counts hours west of Greenwich.
        let hours = -seconds / 3_600
        return hours == 0 ? "Etc/GMT" : "Etc/GMT\(hours > 0 ? "+" : "")\(hours)"
    }

    // MARK: Samples and objects

    /// Redacts a page of samples. A sample of several quantities keeps them without jitter.
    ///
    /// - Parameter identity: The identity of a row that needs one; `nil` for others.
    mutating func columns(_ rows: SampleColumns, isQuantity: Bool, identity: (Int) -> UUID?) -> SampleColumns {
        var result = SampleColumns(type: rows.type)
        result.starts = rows.starts.map { $0 + shift }
        result.ends = rows.ends.map { $0 + shift }
        (result.units, result.revisions, result.devices) = (rows.units, rows.revisions, rows.devices)
        result.values = rows.values
        var interner = MetadataInterner()
        for row in rows.starts.indices {
            let metadata = rows.metadata[row]
            if isQuantity, metadata[MetadataKey.seriesCount] == nil {
                result.values[row] = value(rows.values[row], at: rows.starts[row])
            }
            if rows.metadata.number(at: row) > 0 {
                result.metadata.fill(to: row)
                let redacted = self.metadata(metadata, at: rows.starts[row])
                result.metadata.numbers.append(interner.number(of: redacted, in: &result.metadata.table))
            }
            if let creation = rows.creation(at: row) { result.creations.append(creation + shift, atRow: row) }
            if let uuid = identity(row) { result.uuids.append(self.identity(uuid), atRow: row) }
        }
        if !result.metadata.isEmpty { result.metadata.fill(to: rows.starts.count) }
        if result.creations.hasEntries { result.creations.fill(to: rows.starts.count) }
        if result.uuids.hasEntries { result.uuids.fill(to: rows.starts.count) }
        return result
    }

    /// The dictionaries under the numbers of the original ones.
    mutating func dictionaries(_ dictionaries: StoreDictionaries) -> StoreDictionaries {
        var result = StoreDictionaries()
        result.revisions = dictionaries.revisions.map { revision($0) }
        result.sources = result.revisions.map(\.source)
        result.devices = dictionaries.devices.map { device($0) }
        result.units = dictionaries.units
        return result
    }

    /// A member of an object.
    mutating func sample(_ sample: SampleRecord) -> SampleRecord {
        var sample = sample
        sample.uuid = sample.uuid.map { identity($0) }
        sample.value = sample.unit.isEmpty ? sample.value : value(sample.value, at: sample.start)
        sample.metadata = metadata(sample.metadata, at: sample.start)
        sample.revision = sample.revision.map { revision($0) }
        sample.device = sample.device.map { device($0) }
        sample.creation = sample.creation.map { $0 + shift }
        sample.start += shift
        sample.end += shift
        return sample
    }

    /// An object without its members; `nil` for one whose contents can’t be redacted.
    mutating func object(_ object: ObjectRecord) -> ObjectRecord? {
        guard let body = body(object.body, at: object.start) else { return nil }
        var object = object
        object.body = body
        object.uuid = object.uuid.map { identity($0) }
        object.metadata = metadata(object.metadata, at: object.start)
        object.revision = object.revision.map { revision($0) }
        object.device = object.device.map { device($0) }
        object.creation = object.creation.map { $0 + shift }
        object.start += shift
        object.end += shift
        object.sequence = 0
        return object
    }

    private mutating func body(_ body: ObjectBody, at start: Double) -> ObjectBody? {
        switch body {
        case .none: return body
        case .archived: return nil
        case .workout(let workout): return .workout(self.workout(workout, at: start))
        case .activitySummary(var summary):
            let day = CivilDate.dayNumber(year: summary.year, month: summary.month, day: summary.day) - weeks * 7
            (summary.year, summary.month, summary.day) = CivilDate.date(dayNumber: day)
            for value in [
                \ActivitySummaryBody.activeEnergyBurned, \.activeEnergyBurnedGoal, \.appleMoveTime, \.appleMoveTimeGoal,
                \.appleExerciseTime, \.appleExerciseTimeGoal, \.appleStandHours, \.appleStandHoursGoal,
            ] {
                summary[keyPath: value] = quantity(summary[keyPath: value], at: Double(day))
            }
            return .activitySummary(summary)
        case .document(var document):
            document.fields = document.fields.mapValues { field($0) }
            redactRoute(&document)
            return .document(document)
        }
    }

    private mutating func field(_ value: FieldValue) -> FieldValue {
        switch value {
        case .bool, .integer, .double, .quantity: value
        case .string(let text): .string(self.text(text))
        case .date(let date): .date(date + shift)
        case .uuid(let uuid): .uuid(identity(uuid))
        case .data: .data([])
        case .list(let values): .list(values.map { field($0) })
        case .record(let fields): .record(fields.mapValues { field($0) })
        }
    }

    private mutating func workout(_ workout: WorkoutBody, at start: Double) -> WorkoutBody {
        var workout = workout
        for total in [
            \WorkoutBody.totalEnergyBurned, \.totalDistance, \.totalSwimmingStrokeCount, \.totalFlightsClimbed,
        ] {
            workout[keyPath: total] = quantity(workout[keyPath: total], at: start)
        }
        let zones = workout.zones
        workout.archived = []
        workout.zones = zones.map { zone in
            var zone = zone
            zone.activity = zone.activity.map { identity($0) }
            return zone
        }
        workout.events = workout.events.map { event($0) }
        workout.statistics = workout.statistics.compactMap { statistics($0) }
        workout.activities = workout.activities.map { activity in
            var activity = activity
            activity.uuid = identity(activity.uuid)
            activity.metadata = metadata(activity.metadata, at: activity.start)
            activity.events = activity.events.map { event($0) }
            activity.statistics = activity.statistics.compactMap { statistics($0) }
            activity.start += shift
            activity.end = activity.end.map { $0 + shift }
            return activity
        }
        return workout
    }

    private mutating func event(_ event: WorkoutBody.Event) -> WorkoutBody.Event {
        WorkoutBody.Event(
            type: event.type, start: event.start + shift, end: event.end + shift,
            metadata: metadata(event.metadata, at: event.start))
    }

    private func statistics(_ statistics: WorkoutBody.Statistics) -> WorkoutBody.Statistics? {
        guard TypeCatalog.description(for: statistics.type) != nil else { return nil }
        var statistics = statistics
        // The minimum stays below the average, and the sum that of the workout's total.
        let factor = factor(
            of: statistics.sum ?? statistics.average ?? statistics.maximum ?? 0, at: statistics.start)
        for figure in [\WorkoutBody.Statistics.average, \.minimum, \.maximum] {
            statistics[keyPath: figure] = statistics[keyPath: figure].map { $0 * factor }
        }
        statistics.sum = statistics.sum.map { value($0, at: statistics.start) }
        statistics.start += shift
        statistics.end += shift
        return statistics
    }

    /// Moves a route to the equator at Greenwich and turns it: distances, speeds and climbs stay.
    private mutating func redactRoute(_ document: inout DocumentBody) {
        typealias Column = RouteDocument.Column
        if let times = document.series[Column.timestamps.rawValue] {
            document.series[Column.timestamps.rawValue] = times.map { $0 + shift }
        }
        guard let latitudes = document.series[Column.latitudes.rawValue],
            let longitudes = document.series[Column.longitudes.rawValue], latitudes.count == longitudes.count,
            let (south, west) = zip(latitudes, longitudes).first(where: { $0.isFinite && $1.isFinite })
        else { return }
        routes += 1
        let width = cos(south * .pi / 180)
        let points = zip(latitudes, longitudes).map { latitude, longitude in
            let (north, east) = (latitude - south, (longitude - west) * width)
            return (
                latitude: north * cos(turn) - east * sin(turn), longitude: north * sin(turn) + east * cos(turn)
            )
        }
        document.series[Column.latitudes.rawValue] = points.map(\.latitude)
        document.series[Column.longitudes.rawValue] = points.map(\.longitude)
        if let altitudes = document.series[Column.altitudes.rawValue], let ground = altitudes.first(where: \.isFinite) {
            document.series[Column.altitudes.rawValue] = altitudes.map { $0 - ground }
        }
        if let courses = document.series[Column.courses.rawValue] {
            let degrees = turn * 180 / .pi
            document.series[Column.courses.rawValue] = courses.map {
                $0 < 0 ? $0 : ($0 + degrees).truncatingRemainder(dividingBy: 360)
            }
        }
    }
}

/// SplitMix64, the same everywhere.
private struct RedactionRandom {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
