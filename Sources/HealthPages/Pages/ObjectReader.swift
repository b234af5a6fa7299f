import Foundation
import HealthModel

/// Reads the payload written by ``ObjectWriter``.
struct ObjectReader {
    var reader: ByteReader
    let pool: StringPoolReader

    /// Creates a reader from one that is positioned before the string pool.
    init(_ reader: ByteReader) throws(PageError) {
        self.reader = reader
        pool = try StringPoolReader(&self.reader)
    }

    mutating func metadata() throws(PageError) -> Metadata {
        try MetadataReader.read(&reader, pool: pool)
    }

    mutating func body() throws(PageError) -> ObjectBody {
        switch ObjectBodyKind(rawValue: try reader.byte("body kind")) {
        case .some(.none): return .none
        case .workout: return .workout(try workout())
        case .activitySummary: return .activitySummary(try summary())
        case .archived: return .archived(try element(depth: 1))
        case .document: return .document(try document())
        case nil: throw reader.error(.inconsistent, "body kind")
        }
    }

    mutating func string(_ what: StaticString) throws(PageError) -> String {
        try pool.string(&reader, what)
    }

    mutating func integer(_ what: StaticString) throws(PageError) -> Int {
        Int(try reader.signed(what))
    }

    mutating func quantity(_ what: StaticString) throws(PageError) -> QuantityRecord {
        let value = try reader.number(what)
        return QuantityRecord(value, unit: try string(what))
    }

    mutating func quantities(_ count: Int, _ what: StaticString) throws(PageError) -> [QuantityRecord?] {
        let present = try reader.byte(what)
        var quantities: [QuantityRecord?] = []
        for place in 0..<count {
            quantities.append(present >> UInt8(place) & 1 == 1 ? try quantity(what) : nil)
        }
        guard Int(present) >> count == 0 else { throw reader.error(.inconsistent, what) }
        return quantities
    }

    mutating func list<Element>(
        _ what: StaticString, _ read: (inout ObjectReader) throws(PageError) -> Element
    ) throws(PageError) -> [Element] {
        // An element has at least one byte.
        let count = try reader.count(what, atMost: reader.remaining)
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }
}

extension ObjectReader {
    mutating func workout() throws(PageError) -> WorkoutBody {
        let activityType = UInt(try reader.unsigned("workout activity type"))
        var workout = WorkoutBody(activityType: activityType, duration: try reader.number("workout duration"))
        let totals = try quantities(4, "workout totals")
        workout.totalEnergyBurned = totals[0]
        workout.totalDistance = totals[1]
        workout.totalSwimmingStrokeCount = totals[2]
        workout.totalFlightsClimbed = totals[3]
        workout.events = try list("workout events") { object throws(PageError) in try object.event() }
        workout.activities = try list("workout activities") { object throws(PageError) in try object.activity() }
        workout.statistics = try list("workout statistics") { object throws(PageError) in try object.statistics() }
        workout.archived = try list("archived elements") { object throws(PageError) in try object.element(depth: 1) }
        return workout
    }

    private mutating func event() throws(PageError) -> WorkoutBody.Event {
        let type = try integer("event type")
        let start = try reader.number("event start")
        let end = try reader.number("event end")
        return WorkoutBody.Event(type: type, start: start, end: end, metadata: try metadata())
    }

    private mutating func statistics() throws(PageError) -> WorkoutBody.Statistics {
        let type = try string("statistics type")
        let start = try reader.number("statistics start")
        let end = try reader.number("statistics end")
        let unit = try string("statistics unit")
        let sum = try reader.optionalNumber("statistics sum")
        let average = try reader.optionalNumber("statistics average")
        let minimum = try reader.optionalNumber("statistics minimum")
        let maximum = try reader.optionalNumber("statistics maximum")
        return WorkoutBody.Statistics(
            type: type, start: start, end: end, unit: unit, sum: sum, average: average, minimum: minimum,
            maximum: maximum)
    }

    private mutating func activity() throws(PageError) -> WorkoutBody.Activity {
        let uuid = UUID(uuid: try reader.take(16, "activity uuid").loadUnaligned(as: uuid_t.self))
        let activityType = UInt(try reader.unsigned("activity type"))
        let locationType = try integer("activity location")
        let swimmingLocationType = try integer("activity location")
        let lapLength = try quantities(1, "lap length")[0]
        let start = try reader.number("activity start")
        let end = try reader.optionalNumber("activity end")
        let duration = try reader.number("activity duration")
        let events = try list("activity events") { object throws(PageError) in try object.event() }
        let statistics = try list("activity statistics") { object throws(PageError) in try object.statistics() }
        return WorkoutBody.Activity(
            uuid: uuid, activityType: activityType, locationType: locationType,
            swimmingLocationType: swimmingLocationType, lapLength: lapLength, start: start, end: end,
            duration: duration, events: events, statistics: statistics, metadata: try metadata())
    }
}

extension ObjectReader {
    mutating func document() throws(PageError) -> DocumentBody {
        let fields = try record(depth: 1)
        // Equal numbers take no space, so the total count is what limits the memory.
        var room = ObjectCoder.maximumSeriesLength
        let series = try list("series") { object throws(PageError) in
            let name = try object.string("series name")
            let numbers = try object.numbers(atMost: room)
            room -= numbers.count
            return (name, numbers)
        }
        return DocumentBody(fields: fields, series: Dictionary(series, uniquingKeysWith: { first, _ in first }))
    }

    private mutating func numbers(atMost limit: Int) throws(PageError) -> [Double] {
        let count = try reader.count("series length", atMost: limit)
        guard count > 0 else { return [] }
        let target = UnsafeMutablePointer<Double>.allocate(capacity: count)
        let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: count)
        target.initialize(repeating: 0, count: count)
        scratch.initialize(repeating: 0, count: count)
        defer {
            target.deallocate()
            scratch.deallocate()
        }
        try NumberSequenceReader.read(&reader, count: count, into: target, scratch: scratch, "series")
        return Array(UnsafeBufferPointer(start: target, count: count))
    }

    private mutating func record(depth: Int) throws(PageError) -> [String: FieldValue] {
        guard depth <= ObjectCoder.maximumDepth else { throw reader.error(.inconsistent, "field depth") }
        let fields = try list("fields") { object throws(PageError) in
            (try object.string("field name"), try object.field(depth: depth))
        }
        return Dictionary(fields, uniquingKeysWith: { first, _ in first })
    }

    private mutating func field(depth: Int) throws(PageError) -> FieldValue {
        switch FieldKind(rawValue: try reader.byte("field kind")) {
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .integer: return .integer(try reader.signed("field"))
        case .double: return .double(try reader.number("field"))
        case .date: return .date(try reader.number("field"))
        case .string: return .string(try string("field"))
        case .uuid:
            let bytes = try reader.take(16, "field")
            return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        case .data:
            let count = try reader.count("field length", atMost: reader.remaining)
            return .data(Array(try reader.take(count, "field")))
        case .quantity: return .quantity(try quantity("field"))
        case .list:
            // Limiting the depth keeps damaged bytes from exhausting the stack.
            guard depth < ObjectCoder.maximumDepth else { throw reader.error(.inconsistent, "field depth") }
            return .list(try list("field list") { object throws(PageError) in try object.field(depth: depth + 1) })
        case .record: return .record(try record(depth: depth + 1))
        case nil: throw reader.error(.inconsistent, "field kind")
        }
    }
}

extension ObjectReader {
    mutating func summary() throws(PageError) -> ActivitySummaryBody {
        let year = try integer("summary day")
        let month = try integer("summary day")
        let day = try integer("summary day")
        var summary = ActivitySummaryBody(year: year, month: month, day: day)
        summary.moveMode = try integer("summary move mode")
        switch try reader.byte("summary pause") {
        case 0: summary.isPaused = false
        case 1: summary.isPaused = true
        default: throw reader.error(.inconsistent, "summary pause")
        }
        let quantities = try quantities(8, "summary figures")
        summary.activeEnergyBurned = quantities[0]
        summary.activeEnergyBurnedGoal = quantities[1]
        summary.appleMoveTime = quantities[2]
        summary.appleMoveTimeGoal = quantities[3]
        summary.appleExerciseTime = quantities[4]
        summary.appleExerciseTimeGoal = quantities[5]
        summary.appleStandHours = quantities[6]
        summary.appleStandHoursGoal = quantities[7]
        return summary
    }
}

extension ObjectReader {
    mutating func element(depth: Int) throws(PageError) -> ArchivedElement {
        // Limiting the depth keeps damaged bytes from exhausting the stack.
        guard depth <= ObjectCoder.maximumDepth else { throw reader.error(.inconsistent, "archived element") }
        let name = try string("archived element")
        let attributes = try list("archived attributes") { object throws(PageError) in
            let name = try object.string("archived attribute")
            return ArchivedElement.Attribute(name: name, value: try object.string("archived attribute"))
        }
        let children = try list("archived children") { object throws(PageError) in
            try object.element(depth: depth + 1)
        }
        return ArchivedElement(name: name, attributes: attributes, children: children)
    }
}
