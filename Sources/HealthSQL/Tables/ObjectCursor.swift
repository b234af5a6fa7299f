import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Goes through objects, type after type, each in order of start; an object is read when its row is reached.
final class ObjectCursor: VirtualCursor {
    private let table: ObjectTable
    private var places: [ObjectPlace] = []
    private var index = 0
    private var types: [TypeCode: TypeDescription] = [:]
    private var record: ObjectRecord?
    private var readsObjects = true

    init(_ table: ObjectTable) {
        self.table = table
    }

    private var context: TableContext { table.context }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        (places, index, record) = ([], 0, nil)
        var types = try table.types()
        var bounds = TimeBounds()
        var single: Int64?
        var isPossible = true
        for (bound, value) in zip(plan.bounds, arguments) {
            switch table.common(bound.column) {
            case .type: types.removeAll { $0.shortName.lowercased() != value.text?.lowercased() }
            case .identifier: types.removeAll { $0.identifier.lowercased() != value.text?.lowercased() }
            case .startTime: bounds.take(.start, bound.comparison, value)
            case .endTime: bounds.take(.end, bound.comparison, value)
            case .startDate, .day: bounds.take(.start, bound.comparison, text: value)
            case .endDate: bounds.take(.end, bound.comparison, text: value)
            case .uuid:
                let found = try value.text.flatMap { UUID(uuidString: $0) }.flatMap { try context.reading.locate($0) }
                isPossible = isPossible && found != nil && (single == nil || single == found?.sequence)
                single = found?.sequence
            default:
                let number = value.wholeNumber ?? value.text.flatMap { Int64($0) }
                isPossible = isPossible && number != nil && (single == nil || single == number)
                single = number
            }
        }
        self.types = Dictionary(types.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        guard isPossible, !bounds.isEmpty else { return }
        // Whatever lies in the object itself makes reading it worth while.
        readsObjects = (0..<table.columns.count).contains { column in
            guard plan.uses(column) else { return false }
            switch table.common(column) {
            case .startDate, .endDate, .day, .startTime, .endTime, .type, .identifier, .sequence: return false
            default: return true
            }
        }
        if let single {
            guard let found = try context.reading.object(single), types.contains(where: { $0.code == found.type }) else {
                return
            }
            places = [ObjectPlace(found)]
            record = found
        } else {
            let filter = bounds.filters.isEmpty ? SampleFilter.all : .and(bounds.filters)
            for type in types {
                // Days of rings are stored at Greenwich, where the bounds do not hold.
                let own = type.kind == .activitySummary ? .all : filter
                places += try context.reading.objects(of: type.code, matching: own)
            }
            if plan.order == .startDescending { places.reverse() }
            try read()
        }
    }

    private func read() throws {
        record = nil
        guard readsObjects else { return }
        while index < places.count {
            record = try context.reading.object(places[index].sequence)
            if record != nil { return }
            index += 1
        }
    }

    override var isAtEnd: Bool { index >= places.count }

    override func next() throws {
        context.rowsVisited += 1
        index += 1
        try read()
    }

    override var rowNumber: Int64 { get throws { places[index].sequence } }

    override func column(_ column: Int, to result: SQLResult) throws {
        let place = places[index]
        guard let common = table.common(column) else {
            guard let object = try object() else { return result.null() }
            return result.value(try table.own[column].value(object, context))
        }
        let span = context.span(place)
        switch common {
        case .type: result.text(types[place.type].map { context.pool[$0.shortName] })
        case .identifier: result.text(types[place.type].map { context.pool[$0.identifier] })
        case .startTime: result.real(span.start + unixToReference)
        case .endTime: result.real(span.end + unixToReference)
        case .startDate: result.date(span.start, context.clock)
        case .endDate: result.date(span.end, context.clock)
        case .day: result.day(number: context.clock.dayNumber(at: span.start))
        case .sequence: result.integer(place.sequence)
        default:
            guard let object = try object() else { return result.null() }
            value(common, object, result)
        }
    }

    private func object() throws -> ObjectRecord? {
        if record == nil { record = try context.reading.object(places[index].sequence) }
        return record
    }

    private func value(_ column: ObjectTable.Common, _ object: ObjectRecord, _ result: SQLResult) {
        switch column {
        case .source: result.text(object.revision?.source.name)
        case .bundleIdentifier: result.text(object.revision?.source.bundleIdentifier)
        case .revision: result.value(SQLValue(context.revisionNumber(object.revision)))
        case .device:
            result.text(object.device.flatMap { $0.name ?? $0.model ?? $0.hardwareVersion })
        case .deviceNumber: result.value(SQLValue(context.deviceNumber(object.device)))
        case .metadata: result.text(JSONText.metadata(object.metadata, context.clock))
        case .duration:
            if case .workout(let workout) = object.body {
                result.real(workout.duration)
            } else {
                let span = context.span(ObjectPlace(object))
                result.real(span.end - span.start)
            }
        case .creationDate:
            if let creation = object.creation { result.date(creation, context.clock) } else { result.null() }
        case .uuid: if let uuid = object.uuid { result.uuid(uuid) } else { result.null() }
        default: result.null()
        }
    }
}
