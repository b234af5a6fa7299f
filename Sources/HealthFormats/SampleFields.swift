import Foundation
import HealthEngine
import HealthModel

/// The members of a sample in JSON, before its type says which of them it needs.
struct SampleFields {
    var uuid: UUID?
    var type: TypeDescription?
    var start: Double?
    var end: Double?
    var quantity: Double?
    var unit: String?
    var value: Double?
    var valueName: String?
    var metadata = Metadata.empty
    var deviceName: String?
    var device: DeviceRecord?
    var source: String?
    var bundleIdentifier: String?
    var sourceVersion: String?
    var productType: String?
    var system = OperatingSystemVersionRecord()
    /// The samples of a correlation or workout.
    var members: [SampleFields]?
    var activityType: UInt?
    var duration: Double?
    /// The other members of a workout.
    var workout = WorkoutBody(activityType: 0, duration: 0)
    /// The members of any other object.
    var document: DocumentBody?

    private var revision: SourceRevisionRecord? {
        guard let bundleIdentifier else { return nil }
        return SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: bundleIdentifier, name: source ?? bundleIdentifier),
            version: sourceVersion, productType: productType, operatingSystemVersion: system)
    }

    private var deviceRecord: DeviceRecord? {
        guard var device else { return deviceName.map { DeviceRecord(name: $0) } }
        if device.name == nil { device.name = deviceName }
        return device
    }
}

extension SampleJSONReader {
    /// The sample or object of some members.
    func item(_ fields: SampleFields) throws -> SaveItem {
        let type = try fields.type.required("type", "A data type is required.")
        let start = try fields.start.required("startDate", "A date is required.")
        let end = fields.end ?? start
        switch type.kind {
        case .quantity, .category: return .sample(try fields.sample(of: type, start: start, end: end))
        case .correlation:
            guard let members = fields.members, !members.isEmpty else {
                throw SampleReadingError(member: "objects", reason: "A correlation has at least one object.")
            }
            return .object(try fields.object(of: type, start: start, end: end, body: .none))
        case .workout:
            return .object(
                try fields.object(of: type, start: start, end: end, body: .workout(fields.workoutBody(start, end))))
        case .series, .document:
            let document = try fields.document.required("fields", "The contents of the object are required.")
            return .object(try fields.object(of: type, start: start, end: end, body: .document(document)))
        case .characteristic, .activitySummary:
            throw SampleReadingError(member: "type", reason: "This type does not have samples.")
        }
    }
}

extension SampleFields {
    fileprivate func sample(of type: TypeDescription, start: Double, end: Double) throws -> SampleRecord {
        var sample = SampleRecord(
            uuid: uuid, type: type.code, start: start, end: end, value: 0, revision: revision, device: deviceRecord,
            metadata: metadata)
        if type.kind == .quantity {
            sample.value = try quantity.required("quantity", "A number is required.")
            sample.unit = try unit.required("unit", "A unit string is required.")
        } else {
            sample.value = try categoryValue(of: type)
        }
        return sample
    }

    private func categoryValue(of type: TypeDescription) throws -> Double {
        if let value {
            return Double(try Int(exactly: value).required("value", "An integer or a name is expected."))
        }
        let enumeration = type.categoryEnumeration ?? "HKCategoryValue"
        guard let valueName else {
            // Most types without an enumeration of their own have only one value.
            guard enumeration == "HKCategoryValue" else {
                throw SampleReadingError(member: "value", reason: "A value is required.")
            }
            return Double(type.categoryValues?.lowerBound ?? 0)
        }
        let name =
            valueName.hasPrefix("HKCategoryValue")
            ? valueName : enumeration + valueName.prefix(1).uppercased() + valueName.dropFirst()
        let found = CategoryValueNames.rawValue(of: name, in: enumeration)
        return Double(try found.required("value", "The type has no value with this name."))
    }

    fileprivate func object(of type: TypeDescription, start: Double, end: Double, body: ObjectBody) throws
        -> ObjectRecord
    {
        let members = try (members ?? []).enumerated().map { index, member in
            do {
                let type = try member.type.required("type", "A data type is required.")
                guard type.kind.isPaged else {
                    throw SampleReadingError(
                        member: "type", reason: "Only quantity and category samples belong to objects.")
                }
                return try member.sample(of: type, start: member.start ?? start, end: member.end ?? member.start ?? end)
            } catch var error as SampleReadingError {
                error.member = "objects[\(index)]" + (error.member.map { ".\($0)" } ?? "")
                throw error
            }
        }
        return ObjectRecord(
            uuid: uuid, type: type.code, start: start, end: end, revision: revision, device: deviceRecord,
            metadata: metadata, body: body, members: members)
    }

    fileprivate func workoutBody(_ start: Double, _ end: Double) throws -> WorkoutBody {
        var body = workout
        body.activityType = try activityType.required("workoutActivityType", "A workout activity type is required.")
        body.duration = duration ?? WorkoutBody.duration(start, end, workout.events)
        return body
    }
}

extension WorkoutBody {
    /// The seconds between two dates without the time from each pause to the resumption.
    static func duration(_ start: Double, _ end: Double, _ events: [WorkoutBody.Event]) -> Double {
        let (pause, resume) = (1, 2)
        var (paused, total) = (Double?.none, end - start)
        for event in events.sorted(by: { $0.start < $1.start }) {
            if event.type == pause, paused == nil { paused = event.start }
            if event.type == resume, let begin = paused {
                total -= event.start - begin
                paused = nil
            }
        }
        if let paused { total -= end - paused }
        return max(0, total)
    }
}
