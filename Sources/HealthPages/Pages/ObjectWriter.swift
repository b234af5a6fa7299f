import Foundation
import HealthModel

/// Writes object bodies, whose strings are numbers in the object's pool. The counterpart of ``ObjectReader``.
struct ObjectWriter: ~Copyable {
    var bytes = ByteWriter()
    var pool = StringPoolWriter()

    mutating func metadata(_ metadata: Metadata) {
        MetadataWriter.write(metadata, to: &bytes, pool: &pool)
    }

    mutating func body(_ body: ObjectBody) {
        switch body {
        case .none:
            bytes.byte(ObjectBodyKind.none.rawValue)
        case .workout(let workout):
            bytes.byte(ObjectBodyKind.workout.rawValue)
            self.workout(workout)
        case .activitySummary(let summary):
            bytes.byte(ObjectBodyKind.activitySummary.rawValue)
            self.summary(summary)
        case .document(let document):
            bytes.byte(ObjectBodyKind.document.rawValue)
            self.document(document)
        case .archived(let element):
            bytes.byte(ObjectBodyKind.archived.rawValue)
            self.element(element)
        }
    }

    mutating func string(_ string: String) {
        bytes.unsigned(pool.number(string))
    }

    mutating func quantity(_ quantity: QuantityRecord) {
        bytes.number(quantity.value)
        string(quantity.unit)
    }

    /// Writes a byte whose bits indicate which quantities exist, and then those.
    mutating func quantities(_ quantities: [QuantityRecord?]) {
        var present: UInt8 = 0
        for (place, quantity) in quantities.enumerated() where quantity != nil { present |= 1 << UInt8(place) }
        bytes.byte(present)
        for quantity in quantities {
            if let quantity { self.quantity(quantity) }
        }
    }

    mutating func list<Element>(_ elements: [Element], _ write: (inout ObjectWriter, Element) -> Void) {
        bytes.unsigned(elements.count)
        for element in elements { write(&self, element) }
    }
}

extension ObjectWriter {
    mutating func workout(_ workout: WorkoutBody) {
        bytes.unsigned(UInt64(workout.activityType))
        bytes.number(workout.duration)
        quantities([
            workout.totalEnergyBurned, workout.totalDistance, workout.totalSwimmingStrokeCount,
            workout.totalFlightsClimbed,
        ])
        list(workout.events) { $0.event($1) }
        list(workout.activities) { $0.activity($1) }
        list(workout.statistics) { $0.statistics($1) }
        list(workout.archived) { $0.element($1) }
    }

    private mutating func event(_ event: WorkoutBody.Event) {
        bytes.signed(Int64(event.type))
        bytes.number(event.start)
        bytes.number(event.end)
        metadata(event.metadata)
    }

    private mutating func statistics(_ statistics: WorkoutBody.Statistics) {
        string(statistics.type)
        bytes.number(statistics.start)
        bytes.number(statistics.end)
        string(statistics.unit)
        bytes.optionalNumber(statistics.sum)
        bytes.optionalNumber(statistics.average)
        bytes.optionalNumber(statistics.minimum)
        bytes.optionalNumber(statistics.maximum)
    }

    private mutating func activity(_ activity: WorkoutBody.Activity) {
        withUnsafeBytes(of: activity.uuid.uuid) { bytes.raw($0) }
        bytes.unsigned(UInt64(activity.activityType))
        bytes.signed(Int64(activity.locationType))
        bytes.signed(Int64(activity.swimmingLocationType))
        quantities([activity.lapLength])
        bytes.number(activity.start)
        bytes.optionalNumber(activity.end)
        bytes.number(activity.duration)
        list(activity.events) { $0.event($1) }
        list(activity.statistics) { $0.statistics($1) }
        metadata(activity.metadata)
    }
}

extension ObjectWriter {
    mutating func document(_ document: DocumentBody) {
        record(document.fields, depth: 1)
        precondition(
            document.series.values.reduce(0) { $0 + $1.count } <= ObjectCoder.maximumSeriesLength,
            "the series of a document contain at most \(ObjectCoder.maximumSeriesLength) numbers")
        list(document.series.sorted { $0.key < $1.key }) { writer, series in
            writer.string(series.key)
            writer.bytes.unsigned(series.value.count)
            series.value.withUnsafeBufferPointer { _ = NumberSequenceWriter.write($0, to: &writer.bytes) }
        }
    }

    /// Writes fields ordered by name, so that equal documents have equal bytes.
    private mutating func record(_ fields: [String: FieldValue], depth: Int) {
        precondition(depth <= ObjectCoder.maximumDepth, "fields nest at most \(ObjectCoder.maximumDepth) deep")
        list(fields.sorted { $0.key < $1.key }) { writer, field in
            writer.string(field.key)
            writer.field(field.value, depth: depth)
        }
    }

    private mutating func field(_ value: FieldValue, depth: Int) {
        bytes.byte(Self.kind(value).rawValue)
        switch value {
        case .bool: break
        case .integer(let number): bytes.signed(number)
        case .double(let number), .date(let number): bytes.number(number)
        case .string(let text): string(text)
        case .uuid(let identity): withUnsafeBytes(of: identity.uuid) { bytes.raw($0) }
        case .data(let data):
            bytes.unsigned(data.count)
            bytes.raw(data)
        case .quantity(let quantity): self.quantity(quantity)
        case .list(let values):
            precondition(depth < ObjectCoder.maximumDepth, "fields nest at most \(ObjectCoder.maximumDepth) deep")
            list(values) { $0.field($1, depth: depth + 1) }
        case .record(let fields): record(fields, depth: depth + 1)
        }
    }

    private static func kind(_ value: FieldValue) -> FieldKind {
        switch value {
        case .bool(false): .no
        case .bool(true): .yes
        case .integer: .integer
        case .double: .double
        case .string: .string
        case .date: .date
        case .uuid: .uuid
        case .data: .data
        case .quantity: .quantity
        case .list: .list
        case .record: .record
        }
    }
}

extension ObjectWriter {
    mutating func summary(_ summary: ActivitySummaryBody) {
        bytes.signed(Int64(summary.year))
        bytes.signed(Int64(summary.month))
        bytes.signed(Int64(summary.day))
        bytes.signed(Int64(summary.moveMode))
        bytes.byte(summary.isPaused ? 1 : 0)
        quantities([
            summary.activeEnergyBurned, summary.activeEnergyBurnedGoal, summary.appleMoveTime,
            summary.appleMoveTimeGoal, summary.appleExerciseTime, summary.appleExerciseTimeGoal,
            summary.appleStandHours, summary.appleStandHoursGoal,
        ])
    }
}

extension ObjectWriter {
    mutating func element(_ element: ArchivedElement) {
        self.element(element, depth: 1)
    }

    private mutating func element(_ element: ArchivedElement, depth: Int) {
        precondition(
            depth <= ObjectCoder.maximumDepth, "archived elements nest at most \(ObjectCoder.maximumDepth) deep")
        string(element.name)
        list(element.attributes) {
            $0.string($1.name)
            $0.string($1.value)
        }
        list(element.children) { $0.element($1, depth: depth + 1) }
    }
}
