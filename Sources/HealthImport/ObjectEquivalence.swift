import Foundation
import HealthEngine
import HealthModel
import HealthPages
import HealthStorage

/// The comparison of a stored object with an equal one of an archive that contains more of it.
enum ObjectEquivalence {
    // MARK: - Replacements

    /// The new payload of a stored object that is equal to one of the archive, which contains more of it or less;
    /// `nil` if nothing changes.
    ///
    /// - Parameter hasParts: Whether routes of the newer workout have been read.
    static func replacement(
        _ storedPayload: [UInt8], newer: ObjectRecord, payload: [UInt8], hasParts: Bool
    ) throws -> [UInt8]? {
        guard case .workout(let workout) = newer.body else {
            return storedPayload == payload ? nil : try withFile(storedPayload, newer: newer)
        }
        guard hasParts || storedPayload != payload else { return nil }
        let stored = try ObjectCoder.decode(storedPayload)
        guard case .workout(var body) = stored.body else { return nil }
        var changes = completeStatistics(of: &body, from: workout)
        if hasParts, removeResolvedParts(of: &body, newer: workout) { changes = true }
        guard changes else { return nil }
        return ObjectCoder.encode(metadata: stored.metadata, creation: stored.creation, body: .workout(body))
    }

    /// Replaces the unresolved routes of a stored workout by those of the newer one, for which some have been read.
    private static func removeResolvedParts(of body: inout WorkoutBody, newer: WorkoutBody) -> Bool {
        let (before, after) = (body.archived.filter(isNamedPart), newer.archived.filter(isNamedPart))
        guard after.count < before.count else { return false }
        body.archived = body.archived.filter { !isNamedPart($0) } + after
        return true
    }

    /// Adds the statistics and activities of a newer workout to a stored one that has none. Its totals stay.
    private static func completeStatistics(of body: inout WorkoutBody, from newer: WorkoutBody) -> Bool {
        var changes = false
        if body.statistics.isEmpty, !newer.statistics.isEmpty {
            body.statistics = newer.statistics
            body.totalEnergyBurned = body.totalEnergyBurned ?? newer.totalEnergyBurned
            body.totalDistance = body.totalDistance ?? newer.totalDistance
            body.totalSwimmingStrokeCount = body.totalSwimmingStrokeCount ?? newer.totalSwimmingStrokeCount
            body.totalFlightsClimbed = body.totalFlightsClimbed ?? newer.totalFlightsClimbed
            changes = true
        }
        if body.activities.isEmpty, !newer.activities.isEmpty {
            body.activities = newer.activities
            changes = true
        }
        return changes
    }

    /// The new payload of a clinical record that was stored without its file and now has one; `nil` if nothing
    /// changes.
    static func withFile(_ storedPayload: [UInt8], newer: ObjectRecord) throws -> [UInt8]? {
        guard case .document(let document) = newer.body, document[ClinicalRecordDocument.data] != nil,
            case .document(let stored) = try ObjectCoder.decode(storedPayload).body,
            stored[ClinicalRecordDocument.identifier] != nil, stored[ClinicalRecordDocument.data] == nil
        else { return nil }
        return ObjectCoder.encode(metadata: newer.metadata, creation: newer.creation, body: newer.body)
    }

    /// A record without its file and the display name, which comes from the file.
    fileprivate static func withoutFile(_ document: DocumentBody) -> DocumentBody {
        var document = document
        document[ClinicalRecordDocument.data] = nil
        document[ClinicalRecordDocument.displayName] = nil
        return document
    }

    fileprivate static func isNamedPart(_ element: ArchivedElement) -> Bool {
        element.name == ArchivedElement.workoutRoute
    }
}

/// An object of an archive or a store, for recognizing the same object although its bytes differ.
///
/// An archive writes some content differently each time: in the phone's language and time zone, with file names that
/// contain the time of day. A recording is compared by its long series, a workout by everything except the routes
/// that are only named and its zones, which an archive leaves out, and a clinical record by everything except its file
/// if one of the two lacks it. Archives of iOS 16 and later have a workout's statistics and activities in place of its
/// totals; a workout of an earlier archive is the same if what both contain agrees.
struct ComparableObject {
    /// The properties that are equal in two objects that are the same.
    struct Key: Hashable {
        private let start: Double
        private let end: Double
        private let revision: UInt32
        private let device: UInt32
        private let metadata: Metadata
        private let creation: Double?
        private let body: ObjectBody

        fileprivate init(_ frame: Frame, _ metadata: Metadata, _ creation: Double?, _ body: ObjectBody) {
            (start, end, revision, device) = (frame.start, frame.end, frame.revision, frame.device)
            switch body {
            case .document(let document) where document.isRecording:
                (self.metadata, self.creation, self.body) = (.empty, nil, .document(DocumentBody()))
                return
            case .document(let document) where document[ClinicalRecordDocument.identifier] != nil:
                self.body = .document(ObjectEquivalence.withoutFile(document).comparable)
            case .document(let document): self.body = .document(document.comparable)
            case .archived(let element): self.body = .archived(element.comparable)
            case .workout(let workout):
                self.body = .workout(
                    WorkoutBody(
                        activityType: workout.activityType, duration: 0, events: workout.events.map(\.comparable),
                        archived: workout.archivedWithoutZones.filter { !ObjectEquivalence.isNamedPart($0) }.map(
                            \.comparable)))
            case .none, .activitySummary: self.body = body
            }
            self.metadata = metadata.comparable
            self.creation = creation
        }
    }

    /// Dates and the classes of source and device (see ``SourceEquivalence``).
    struct Frame {
        var start: Double
        var end: Double
        var revision: UInt32
        var device: UInt32
    }

    let key: Key
    private let type: TypeCode
    private let body: ObjectBody

    init(_ record: ObjectRecord, type: TypeCode, _ frame: Frame) {
        self.init(type, frame, record.metadata, record.creation, record.body)
    }

    init(_ stored: StoredObject, _ frame: Frame) throws {
        let content = try ObjectCoder.decode(stored.payload)
        self.init(stored.type, frame, content.metadata, content.creation, content.body)
    }

    private init(_ type: TypeCode, _ frame: Frame, _ metadata: Metadata, _ creation: Double?, _ body: ObjectBody) {
        key = Key(frame, metadata, creation, body)
        self.type = type
        self.body = body
    }

    /// Whether the objects, whose keys are equal, are the same. Members of correlations are not compared.
    func isAlike(_ other: ComparableObject) -> Bool {
        switch (body, other.body) {
        case (.document(let one), .document(let other)) where one.isRecording:
            Self.areAlike(one.series, other.series, isRoute: type == Self.routeType)
        case (.document(let one), .document(let other)) where one[ClinicalRecordDocument.identifier] != nil:
            [one, other].compactMap { $0[ClinicalRecordDocument.data] }.count == 1 || one.comparable == other.comparable
        case (.workout(let one), .workout(let other)): Self.areAlike(one, other)
        default: true
        }
    }

    // MARK: - Workouts

    private static func areAlike(_ one: WorkoutBody, _ other: WorkoutBody) -> Bool {
        BaseUnitQuantity.agree(one.duration, other.duration) && areAlike(one.activities, other.activities)
            && areAlike(one.statistics, other.statistics)
            && zip(totals(of: one), totals(of: other)).allSatisfy { one, other in
                guard let one, let other else { return true }
                return BaseUnitQuantity.agree(one, other)
            }
    }

    private static func totals(of body: WorkoutBody) -> [QuantityRecord?] {
        [body.totalEnergyBurned, body.totalDistance, body.totalSwimmingStrokeCount, body.totalFlightsClimbed]
    }

    private static func areAlike(_ one: [WorkoutBody.Activity], _ other: [WorkoutBody.Activity]) -> Bool {
        if one.isEmpty || other.isEmpty { return true }
        return one.count == other.count
            && zip(one, other).allSatisfy { one, other in
                one.uuid == other.uuid && one.activityType == other.activityType && one.start == other.start
                    && one.end == other.end && BaseUnitQuantity.agree(one.duration, other.duration)
                    && one.metadata.comparable == other.metadata.comparable
                    && one.events.map(\.comparable) == other.events.map(\.comparable)
                    && areAlike(one.statistics, other.statistics)
            }
    }

    /// Whether the statistics agree, or one of the two has none.
    private static func areAlike(_ one: [WorkoutBody.Statistics], _ other: [WorkoutBody.Statistics]) -> Bool {
        if one.isEmpty || other.isEmpty { return true }
        guard one.count == other.count else { return false }
        return zip(one.sorted { $0.type < $1.type }, other.sorted { $0.type < $1.type }).allSatisfy { one, other in
            guard one.type == other.type, one.start == other.start, one.end == other.end else { return false }
            return zip(figures(of: one), figures(of: other)).allSatisfy { one, other in
                guard let one, let other else { return one == nil && other == nil }
                return BaseUnitQuantity.agree(one, other)
            }
        }
    }

    private static func figures(of statistics: WorkoutBody.Statistics) -> [QuantityRecord?] {
        [statistics.sum, statistics.average, statistics.minimum, statistics.maximum].map { figure in
            figure.map { QuantityRecord($0, unit: statistics.unit) }
        }
    }

    // MARK: - Recordings

    private static let routeType = TypeCatalog.description(for: "HKWorkoutRouteTypeIdentifier")?.code
    /// The most by which a number of a GPX file, which has six decimal places, differs from the one inside an archive.
    private static let routePrecision = 6e-7

    /// Compares bit for bit, NaN included, but the numbers of routes with the precision of GPX files. A series that
    /// only one of the two has is ignored: a newer version may read more of a file than an older one did.
    private static func areAlike(_ one: [String: [Double]], _ other: [String: [Double]], isRoute: Bool) -> Bool {
        let names = Set(one.keys).intersection(other.keys)
        return !names.isEmpty
            && names.allSatisfy { name in
                guard let one = one[name], let other = other[name], one.count == other.count else { return false }
                return zip(one, other).allSatisfy {
                    $0.bitPattern == $1.bitPattern || isRoute && abs($0 - $1) <= routePrecision
                }
            }
    }
}

/// A unit of an archive and its conversion to base units, which all compatible units have in common.
struct BaseUnitConversion {
    let base: UnitExpression
    let conversion: UnitConversion

    /// `nil` for a text that is not a unit.
    init?(_ text: String) {
        guard let unit = try? UnitExpression(parsing: text), let conversion = unit.conversion(to: unit.baseUnit) else {
            return nil
        }
        (base, self.conversion) = (unit.baseUnit, conversion)
    }
}

/// A number of an archive in base units. Archives have numbers with six significant digits, in the unit that the person
/// prefers at the time.
struct BaseUnitQuantity {
    /// The part of a number by which its text may differ from it: half a unit of the sixth digit.
    private static let relativeError = 5.5e-6

    let value: Double
    /// By how much the value may differ from the number before it was rounded. A zero point, as of temperatures, makes
    /// it a larger or smaller part of the value.
    private let error: Double
    private let base: UnitExpression

    init(_ value: Double, in unit: BaseUnitConversion) {
        self.value = unit.conversion(value)
        error = abs(unit.conversion(value * (1 + Self.relativeError)) - self.value)
        base = unit.base
    }

    /// `nil` if the unit is invalid.
    init?(_ quantity: QuantityRecord) {
        guard let unit = BaseUnitConversion(quantity.unit) else { return nil }
        self.init(quantity.value, in: unit)
    }

    /// Whether both can be the same number.
    func agrees(with other: BaseUnitQuantity) -> Bool {
        base == other.base && (value == other.value || abs(value - other.value) <= error + other.error)
    }

    static func agree(_ one: QuantityRecord, _ other: QuantityRecord) -> Bool {
        if one == other { return true }
        guard let one = BaseUnitQuantity(one), let other = BaseUnitQuantity(other) else { return false }
        return one.agrees(with: other)
    }

    /// Whether two durations in seconds can be the same.
    static func agree(_ one: Double, _ other: Double) -> Bool {
        one == other || abs(one - other) <= (abs(one) + abs(other)) * relativeError
    }
}

/// Source revisions and devices that an archive cannot distinguish.
///
/// An archive contains a source's name and version but neither its bundle identifier nor its product type; of a
/// device it omits the local and regulatory identifiers. To recognize in an archive what an application saved,
/// numbers that are written alike form a class, which is identified by its minimum number.
struct SourceEquivalence {
    private struct RevisionKey: Hashable {
        var name: String
        var version: String?
    }

    private var revisionClasses: [UInt32] = [0]
    private var deviceClasses: [UInt32] = [0]
    private var revisionFaces: [RevisionKey: UInt32] = [:]
    private var deviceFaces: [DeviceRecord: UInt32] = [:]

    /// Adds the numbers assigned since the last call.
    mutating func extend(to dictionaries: StoreDictionaries) {
        for number in revisionClasses.count..<max(revisionClasses.count, dictionaries.revisions.count + 1) {
            let revision = dictionaries.revisions[number - 1]
            let face = RevisionKey(name: revision.source.name, version: revision.version)
            let known = revisionFaces[face] ?? UInt32(number)
            revisionFaces[face] = known
            revisionClasses.append(known)
        }
        for number in deviceClasses.count..<max(deviceClasses.count, dictionaries.devices.count + 1) {
            var face = dictionaries.devices[number - 1]
            face.localIdentifier = nil
            face.udiDeviceIdentifier = nil
            let known = deviceFaces[face] ?? UInt32(number)
            deviceFaces[face] = known
            deviceClasses.append(known)
        }
    }

    /// Whether both numbers are known.
    func covers(revision: UInt32, device: UInt32) -> Bool {
        Int(revision) < revisionClasses.count && Int(device) < deviceClasses.count
    }

    func revisionClass(_ number: UInt32) -> UInt32 {
        Int(number) < revisionClasses.count ? revisionClasses[Int(number)] : number
    }

    func deviceClass(_ number: UInt32) -> UInt32 {
        Int(number) < deviceClasses.count ? deviceClasses[Int(number)] : number
    }
}

// MARK: - Content that depends on the time of the export

extension Metadata {
    /// The metadata without what the same content has differently in another archive: its form, the texts of its
    /// values, and, exported in another time zone, dates in content that is kept as text.
    var comparable: Metadata {
        guard entries.contains(where: { $0.archivedText != nil || $0.key.hasPrefix(MetadataKey.archivedPrefix) }) else {
            return self
        }
        return Metadata(
            entries.filter { !MetadataKey.archivedForms.contains($0.key) }.map { entry in
                var value = entry.value
                if entry.key.hasPrefix(MetadataKey.archivedPrefix), case .string(let text) = value {
                    value = .string(ArchivedText.withInstants(text))
                }
                return Entry(key: entry.key, value: value)
            })
    }
}

extension WorkoutBody.Event {
    fileprivate var comparable: WorkoutBody.Event {
        var event = self
        event.metadata = metadata.comparable
        return event
    }
}

extension ArchivedElement {
    fileprivate var comparable: ArchivedElement {
        ArchivedElement(
            name: name,
            attributes: attributes.map { Attribute(name: $0.name, value: ArchivedText.withInstants($0.value)) },
            children: children.map(\.comparable))
    }
}

extension DocumentBody {
    /// Whether the object is a recording, which is compared by its series.
    fileprivate var isRecording: Bool { series.values.contains { !$0.isEmpty } }

    fileprivate var comparable: DocumentBody { DocumentBody(fields: fields.mapValues(\.comparable), series: series) }
}

extension FieldValue {
    fileprivate var comparable: FieldValue {
        switch self {
        case .string(let text): .string(ArchivedText.withInstants(text))
        case .list(let values): .list(values.map(\.comparable))
        case .record(let values): .record(values.mapValues(\.comparable))
        default: self
        }
    }
}

/// Text of an archive that is kept as it was read.
private enum ArchivedText {
    /// The form of a date: `0` matches any digit, `+` either sign.
    private static let form = Array("0000-00-00 00:00:00 +0000".utf8)

    /// Replaces dates by instants, which do not depend on the time zone of the export.
    static func withInstants(_ text: String) -> String {
        guard text.utf8.count >= form.count else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if let instant = instant(in: bytes[position...].prefix(form.count)) {
                result += Array("\(instant)".utf8)
                position += form.count
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func instant(in bytes: ArraySlice<UInt8>) -> Double? {
        guard bytes.count == form.count,
            zip(bytes, form).allSatisfy({ byte, expected in
                switch expected {
                case UInt8(ascii: "0"): (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                case UInt8(ascii: "+"): byte == expected || byte == UInt8(ascii: "-")
                default: byte == expected
                }
            })
        else { return nil }
        return LocalClock(timeZone: .gmt).instant(of: String(decoding: bytes, as: UTF8.self))
    }
}
