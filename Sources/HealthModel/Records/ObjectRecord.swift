public import Foundation

/// Any stored object that is not a page sample: a workout, a correlation, an activity summary, a series …
public struct ObjectRecord: Hashable, Sendable, Codable {
    /// The UUID given by the app; `nil` lets the store derive one from the sequence number.
    public var uuid: UUID?
    /// The object's type; never a paged type.
    public var type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    public var end: Double
    /// The source revision. The engine sets it on `save`; a bulk import provides it.
    public var revision: SourceRevisionRecord?
    /// The device that recorded the object, if known.
    public var device: DeviceRecord?
    /// The object's metadata.
    public var metadata: Metadata
    /// The creation date given by an archive, if any.
    public var creation: Double?
    /// The contents that depend on the object's kind.
    public var body: ObjectBody
    /// The samples that belong to this object, such as the members of a correlation, both when it is saved and
    /// when it is read.
    public var members: [SampleRecord]
    /// The object's sequence number in the store; 0 before it is saved.
    public var sequence: Int64

    /// Creates an object.
    public init(
        uuid: UUID? = nil, type: TypeCode, start: Double, end: Double, revision: SourceRevisionRecord? = nil,
        device: DeviceRecord? = nil, metadata: Metadata = .empty, creation: Double? = nil, body: ObjectBody = .none,
        members: [SampleRecord] = [], sequence: Int64 = 0
    ) {
        self.uuid = uuid
        self.type = type
        self.start = start
        self.end = end
        self.revision = revision
        self.device = device
        self.metadata = metadata
        self.creation = creation
        self.body = body
        self.members = members
        self.sequence = sequence
    }
}

/// The contents of an object besides dates, source, device and metadata.
public enum ObjectBody: Hashable, Sendable, Codable {
    /// No further contents, as in a correlation, whose members are links.
    case none
    /// A workout's totals, events and activities.
    case workout(WorkoutBody)
    /// A day's activity rings from an archive.
    case activitySummary(ActivitySummaryBody)
    /// Any other object, as named fields.
    case document(DocumentBody)
    /// An archive element of an unknown kind: its tag, its attributes in order and its children, kept for export.
    case archived(ArchivedElement)
}

/// A day's activity rings from an archive: values and goals, each `nil` if the archive has none.
public struct ActivitySummaryBody: Hashable, Sendable, Codable {
    /// The Gregorian year of the person's local date.
    public var year: Int
    /// The month, 1 to 12.
    public var month: Int
    /// The day of the month, from 1.
    public var day: Int
    /// The value of the Move ring as energy, in kilocalories as archives write it.
    public var activeEnergyBurned: QuantityRecord?
    /// The goal of the Move ring as energy.
    public var activeEnergyBurnedGoal: QuantityRecord?
    /// The value of the Move ring as time.
    public var appleMoveTime: QuantityRecord?
    /// The goal of the Move ring as time.
    public var appleMoveTimeGoal: QuantityRecord?
    /// The value of the Exercise ring.
    public var appleExerciseTime: QuantityRecord?
    /// The goal of the Exercise ring.
    public var appleExerciseTimeGoal: QuantityRecord?
    /// The value of the Stand ring, a count of hours.
    public var appleStandHours: QuantityRecord?
    /// The goal of the Stand ring.
    public var appleStandHoursGoal: QuantityRecord?
    /// The raw value of the move mode: active energy 1, move time 2.
    public var moveMode: Int
    /// A Boolean value that indicates whether the person had paused the rings that day.
    public var isPaused: Bool

    /// Creates a day without values or goals.
    public init(year: Int, month: Int, day: Int, moveMode: Int = 1, isPaused: Bool = false) {
        self.year = year
        self.month = month
        self.day = day
        self.moveMode = moveMode
        self.isPaused = isPaused
    }
}

/// The contents of any other object: named fields, and long series of numbers in columns.
///
/// Electrocardiograms, audiograms, prescriptions, states of mind, assessments, clinical records, routes and
/// heartbeat series have such a body. ``ElectrocardiogramDocument`` and its neighbors define their names.
public struct DocumentBody: Hashable, Sendable, Codable {
    /// The fields by name.
    public var fields: [String: FieldValue]
    /// Long columns of numbers (voltages, coordinates, offsets) by name, encoded like page columns.
    public var series: [String: [Double]]

    /// Creates a document from fields and columns.
    public init(fields: [String: FieldValue] = [:], series: [String: [Double]] = [:]) {
        self.fields = fields
        self.series = series
    }

    /// The field with this name. Setting `nil` removes it.
    public subscript(name: String) -> FieldValue? {
        get { fields[name] }
        set { fields[name] = newValue }
    }
}

/// The value of a document's field.
public indirect enum FieldValue: Hashable, Sendable, Codable {
    /// A Boolean value.
    case bool(Bool)
    /// An integer, such as the raw value of an enumeration.
    case integer(Int64)
    /// A number without a unit, or in a unit implied by the field's name.
    case double(Double)
    /// A string.
    case string(String)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// The UUID of another object.
    case uuid(UUID)
    /// Opaque bytes.
    case data([UInt8])
    /// A number with its unit.
    case quantity(QuantityRecord)
    /// Several values in order.
    case list([FieldValue])
    /// Values by name, for parts with fields of their own.
    case record([String: FieldValue])

    /// The value as a number (a Boolean as 0 or 1, a date as its seconds), or `nil` if it is not a number.
    public var number: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value), .date(let value): value
        case .string, .uuid, .data, .quantity, .list, .record: nil
        }
    }

    /// The elements of a list, or the value itself if it is not a list.
    public var elements: [FieldValue] {
        if case .list(let elements) = self { elements } else { [self] }
    }
}

/// A number with its unit string.
public struct QuantityRecord: Hashable, Sendable, Codable {
    /// The number, in ``unit``.
    public var value: Double
    /// The unit string, such as `count/min`.
    public var unit: String

    /// Creates a quantity. Neither the unit string nor the number is checked.
    public init(_ value: Double, unit: String) {
        self.value = value
        self.unit = unit
    }
}

/// An element of an archive as it was read.
public struct ArchivedElement: Hashable, Sendable, Codable {
    /// An attribute.
    public struct Attribute: Hashable, Sendable, Codable {
        /// The attribute's name.
        public var name: String
        /// The attribute's text, with entities resolved.
        public var value: String

        /// Creates an attribute.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The tag of a route inside a workout. A route whose points are unavailable is kept with the workout.
    public static let workoutRoute = "WorkoutRoute"

    /// The element's tag.
    public var name: String
    /// The attributes in order; an archive may repeat a name.
    public var attributes: [Attribute]
    /// The elements inside, in order.
    public var children: [ArchivedElement]

    /// Creates an element.
    public init(name: String, attributes: [Attribute] = [], children: [ArchivedElement] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// The value of the first attribute with this name.
    public subscript(name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }
}
