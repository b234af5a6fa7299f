package import Foundation

/// Any stored object that is not a page sample: a workout, a correlation, an activity summary, a series …
package struct ObjectRecord: Hashable, Sendable, Codable {
    /// The UUID given by the app; `nil` lets the store derive one from the sequence number.
    package var uuid: UUID?
    /// The object's type; never a paged type.
    package var type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package var start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    package var end: Double
    /// The source revision. The engine sets it on `save`; a bulk import provides it.
    package var revision: SourceRevisionRecord?
    /// The device that recorded the object, if known.
    package var device: DeviceRecord?
    /// The object's metadata.
    package var metadata: Metadata
    /// The creation date given by an archive, if any.
    package var creation: Double?
    /// The contents that depend on the object's kind.
    package var body: ObjectBody
    /// The samples that belong to this object, such as the members of a correlation, both when it is saved and
    /// when it is read.
    package var members: [SampleRecord]
    /// The object's sequence number in the store; 0 before it is saved.
    package var sequence: Int64

    /// Creates an object.
    package init(
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
package indirect enum ObjectBody: Hashable, Sendable {
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
package struct ActivitySummaryBody: Hashable, Sendable, Codable {
    /// The Gregorian year of the person's local date.
    package var year: Int
    /// The month, 1 to 12.
    package var month: Int
    /// The day of the month, from 1.
    package var day: Int
    /// The value of the Move ring as energy, in kilocalories as archives write it.
    package var activeEnergyBurned: QuantityRecord?
    /// The goal of the Move ring as energy.
    package var activeEnergyBurnedGoal: QuantityRecord?
    /// The value of the Move ring as time.
    package var appleMoveTime: QuantityRecord?
    /// The goal of the Move ring as time.
    package var appleMoveTimeGoal: QuantityRecord?
    /// The value of the Exercise ring.
    package var appleExerciseTime: QuantityRecord?
    /// The goal of the Exercise ring.
    package var appleExerciseTimeGoal: QuantityRecord?
    /// The value of the Stand ring, a count of hours.
    package var appleStandHours: QuantityRecord?
    /// The goal of the Stand ring.
    package var appleStandHoursGoal: QuantityRecord?
    /// The raw value of the move mode: active energy 1, move time 2.
    package var moveMode: Int
    /// A Boolean value that indicates whether the person had paused the rings that day.
    package var isPaused: Bool

    /// Creates a day without values or goals.
    package init(year: Int, month: Int, day: Int, moveMode: Int = 1, isPaused: Bool = false) {
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
package struct DocumentBody: Hashable, Sendable, Codable {
    /// The fields by name.
    package var fields: [String: FieldValue]
    /// Long columns of numbers (voltages, coordinates, offsets) by name, encoded like page columns.
    package var series: [String: [Double]]

    /// Creates a document from fields and columns.
    package init(fields: [String: FieldValue] = [:], series: [String: [Double]] = [:]) {
        self.fields = fields
        self.series = series
    }

    /// The field with this name. Setting `nil` removes it.
    package subscript(name: String) -> FieldValue? {
        get { fields[name] }
        set { fields[name] = newValue }
    }
}

/// The value of a document's field.
package indirect enum FieldValue: Hashable, Sendable {
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
    /// Values by name, for parts with their own fields.
    case record([String: FieldValue])

    /// The value as a number (a Boolean as 0 or 1, a date as its seconds), or `nil` if it is not a number.
    package var number: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value), .date(let value): value
        case .string, .uuid, .data, .quantity, .list, .record: nil
        }
    }

    /// The elements of a list, or the value itself if it is not a list.
    package var elements: [FieldValue] {
        if case .list(let elements) = self { elements } else { [self] }
    }
}

/// A number with its unit string.
package struct QuantityRecord: Hashable, Sendable, Codable {
    /// The number, in ``unit``.
    package var value: Double
    /// The unit string, such as `count/min`.
    package var unit: String

    /// Creates a quantity. Neither the unit string nor the number is checked.
    package init(_ value: Double, unit: String) {
        self.value = value
        self.unit = unit
    }

    /// The value in another unit; `nil` if the units are incompatible.
    package func value(in unit: String) -> Double? {
        UnitConversion(between: self.unit, and: unit).map { $0(value) }
    }
}

/// An element of an archive as it was read.
package struct ArchivedElement: Hashable, Sendable, Codable {
    /// An attribute.
    package struct Attribute: Hashable, Sendable, Codable {
        /// The attribute's name.
        package var name: String
        /// The attribute's text, with entities resolved.
        package var value: String

        /// Creates an attribute.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The tag of a route inside a workout. A route whose points are unavailable is kept with the workout.
    package static let workoutRoute = "WorkoutRoute"

    /// The element's tag.
    package var name: String
    /// The attributes in order; an archive may repeat a name.
    package var attributes: [Attribute]
    /// The elements inside, in order.
    package var children: [ArchivedElement]

    /// Creates an element.
    package init(name: String, attributes: [Attribute] = [], children: [ArchivedElement] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// The value of the first attribute with this name.
    package subscript(name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }
}
