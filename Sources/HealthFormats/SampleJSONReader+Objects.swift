import Foundation
import HealthJSON
import HealthModel

// The members of workouts, electrocardiograms, series and other objects.
extension SampleJSONReader {
    /// Reads a member that only objects have; returns `false` for any other name.
    mutating func readObjectMember(
        _ name: String, _ json: inout JSONReader, into fields: inout SampleFields
    ) throws -> Bool {
        if try readWorkoutMember(name, &json, into: &fields) { return true }
        var document = fields.document ?? DocumentBody()
        switch name {
        case "fields": document.fields.merge(try values.fields(&json, name)) { $1 }
        case "series":
            try values.object(&json, name) { json, column in
                document.series[column] = try values.numbers(&json, "series.\(column)")
            }
        case ElectrocardiogramDocument.classification:
            document[name] = .integer(
                Int64(
                    try values.choice(&json, name) { RecordingNames.value(of: $0, in: RecordingNames.classifications) })
            )
        case ElectrocardiogramDocument.symptomsStatus:
            document[name] = .integer(
                Int64(try values.choice(&json, name) { RecordingNames.value(of: $0, in: RecordingNames.symptoms) }))
        case ElectrocardiogramDocument.averageHeartRate, ElectrocardiogramDocument.samplingFrequency:
            document[name] = .quantity(try values.measure(&json, name))
        case "voltageMeasurements": try readVoltages(&json, into: &document)
        case "heartbeats": try readHeartbeats(&json, into: &document)
        case "locations": try readLocations(&json, into: &document)
        default: return false
        }
        fields.document = document
        return true
    }

    // MARK: Workouts

    private mutating func readWorkoutMember(
        _ name: String, _ json: inout JSONReader, into fields: inout SampleFields
    ) throws -> Bool {
        switch name {
        case "workoutActivityType": fields.activityType = try activityType(&json, name)
        case "duration": fields.duration = try values.number(&json, name)
        case "totalEnergyBurned": fields.workout.totalEnergyBurned = try values.measure(&json, name)
        case "totalDistance": fields.workout.totalDistance = try values.measure(&json, name)
        case "totalSwimmingStrokeCount": fields.workout.totalSwimmingStrokeCount = try values.measure(&json, name)
        case "totalFlightsClimbed": fields.workout.totalFlightsClimbed = try values.measure(&json, name)
        case "workoutEvents": fields.workout.events = try events(&json, name)
        case "workoutActivities":
            try values.list(&json, name) { json, index in
                fields.workout.activities.append(try activity(&json, "\(name)[\(index)]"))
            }
        case "statistics": fields.workout.statistics = try statistics(&json, name)
        case "zoneGroups":
            var groups: [WorkoutZoneRecord] = []
            try values.list(&json, name) { json, index in groups.append(try zones(&json, "\(name)[\(index)]")) }
            if !groups.isEmpty { fields.workout.zones += groups }
        default: return false
        }
        return true
    }

    private func activityType(_ json: inout JSONReader, _ member: String) throws -> UInt {
        let value = try values.choice(&json, member) { name in
            let meant = ValueNames.activities(called: name)
            return meant.count == 1 ? Int(clamping: meant[0]) : nil
        }
        return try UInt(exactly: value).required(member, "A raw value of at least 0 is expected.")
    }

    private mutating func events(_ json: inout JSONReader, _ member: String) throws -> [WorkoutBody.Event] {
        var events: [WorkoutBody.Event] = []
        try values.list(&json, member) { json, index in
            let place = "\(member)[\(index)]"
            var (type, start, end, metadata) = (Int?.none, Double?.none, Double?.none, Metadata.empty)
            try values.object(&json, place) { json, name in
                switch name {
                case "type":
                    type = try values.choice(&json, "\(place).type") { name in
                        let identifier =
                            name.hasPrefix("HK")
                            ? name : "HKWorkoutEventType" + name.prefix(1).uppercased() + name.dropFirst()
                        return WorkoutEventNames.rawValue(of: identifier)
                    }
                case "startDate": start = try values.instant(&json, "\(place).startDate")
                case "endDate": end = try values.instant(&json, "\(place).endDate")
                case "metadata": metadata = try values.metadata(&json, "\(place).metadata")
                default: try json.skip()
                }
            }
            let kind = try type.required("\(place).type", "An event type is required.")
            let first = try start.required("\(place).startDate", "A date is required.")
            events.append(WorkoutBody.Event(type: kind, start: first, end: end ?? first, metadata: metadata))
        }
        return events
    }

    private mutating func activity(_ json: inout JSONReader, _ member: String) throws -> WorkoutBody.Activity {
        var activity = WorkoutBody.Activity(uuid: UUID(), activityType: 3_000, start: .nan, end: nil, duration: .nan)
        try values.object(&json, member) { json, name in
            let place = "\(member).\(name)"
            switch name {
            case "uuid": activity.uuid = try values.uuid(&json, place)
            case "workoutActivityType": activity.activityType = try activityType(&json, place)
            case "locationType": activity.locationType = try values.integer(&json, place)
            case "swimmingLocationType": activity.swimmingLocationType = try values.integer(&json, place)
            case "lapLength": activity.lapLength = try values.measure(&json, place)
            case "startDate": activity.start = try values.instant(&json, place)
            case "endDate": activity.end = try values.instant(&json, place)
            case "duration": activity.duration = try values.number(&json, place)
            case "workoutEvents": activity.events = try events(&json, place)
            case "statistics": activity.statistics = try statistics(&json, place)
            case "metadata": activity.metadata = try values.metadata(&json, place)
            default: try json.skip()
            }
        }
        guard !activity.start.isNaN else {
            throw SampleReadingError(member: "\(member).startDate", reason: "A date is required.")
        }
        if activity.duration.isNaN {
            activity.duration = WorkoutBody.duration(
                activity.start, activity.end ?? activity.start, activity.events)
        }
        return activity
    }

    private mutating func statistics(_ json: inout JSONReader, _ member: String) throws -> [WorkoutBody.Statistics] {
        var all: [WorkoutBody.Statistics] = []
        try values.list(&json, member) { json, index in
            let place = "\(member)[\(index)]"
            var figures = WorkoutBody.Statistics(type: "", start: .nan, end: .nan, unit: "")
            try values.object(&json, place) { json, name in
                let place = "\(place).\(name)"
                switch name {
                case "type": figures.type = try values.string(&json, place)
                case "startDate": figures.start = try values.instant(&json, place)
                case "endDate": figures.end = try values.instant(&json, place)
                case "unit": figures.unit = try values.unit(&json, place)
                case "sumQuantity": figures.sum = try values.number(&json, place)
                case "averageQuantity": figures.average = try values.number(&json, place)
                case "minimumQuantity": figures.minimum = try values.number(&json, place)
                case "maximumQuantity": figures.maximum = try values.number(&json, place)
                default: try json.skip()
                }
            }
            guard !figures.type.isEmpty, !figures.unit.isEmpty, !figures.start.isNaN, !figures.end.isNaN else {
                throw SampleReadingError(
                    member: place, reason: "“type”, “unit”, “startDate” and “endDate” are required.")
            }
            all.append(figures)
        }
        return all
    }

    private mutating func zones(_ json: inout JSONReader, _ member: String) throws -> WorkoutZoneRecord {
        var record = WorkoutZoneRecord(type: "", unit: "", boundaries: [], source: .app, durations: [])
        try values.object(&json, member) { json, name in
            let place = "\(member).\(name)"
            switch name {
            case "quantityType": record.type = try values.string(&json, place)
            case "unit": record.unit = try values.unit(&json, place)
            case "source": record.source = WorkoutZoneRecord.Source(rawValue: try values.string(&json, place)) ?? .app
            case "activity": record.activity = try values.uuid(&json, place)
            case "zones":
                try values.list(&json, place) { json, _ in
                    try values.object(&json, place) { json, name in
                        switch name {
                        case "minimum": record.boundaries.append(try values.number(&json, place))
                        case "duration": record.durations.append(try values.number(&json, place))
                        default: try json.skip()
                        }
                    }
                }
            default: try json.skip()
            }
        }
        guard !record.type.isEmpty, !record.unit.isEmpty, record.durations.count == record.boundaries.count + 1,
            zip(record.boundaries, record.boundaries.dropFirst()).allSatisfy({ $0 < $1 })
        else {
            throw SampleReadingError(
                member: member, reason: "Zones with ascending minima and their durations are required.")
        }
        return record
    }

    // MARK: Recordings

    private func readVoltages(_ json: inout JSONReader, into document: inout DocumentBody) throws {
        let member = "voltageMeasurements"
        try values.object(&json, member) { json, name in
            switch name {
            case "timeSinceSampleStart":
                document.series[ElectrocardiogramDocument.times] = try values.numbers(&json, "\(member).\(name)")
            case "appleWatchSimilarToLeadI":
                document.series[ElectrocardiogramDocument.voltages(lead: 1)] = try values.numbers(
                    &json, "\(member).\(name)")
            default: try json.skip()
            }
        }
        let counts = Set(document.series.values.map(\.count))
        guard counts.count <= 1 else {
            throw SampleReadingError(member: member, reason: "There must be a voltage for each time.")
        }
    }

    private func readHeartbeats(_ json: inout JSONReader, into document: inout DocumentBody) throws {
        let member = "heartbeats"
        var (offsets, gaps, rates) = ([Double](), [Double](), [Double]())
        try values.list(&json, member) { json, index in
            let place = "\(member)[\(index)]"
            var (offset, gap, rate) = (Double?.none, Double.nan, Double.nan)
            try values.object(&json, place) { json, name in
                switch name {
                case "timeSinceSeriesStart": offset = try values.number(&json, "\(place).\(name)")
                case "precededByGap": gap = try values.bool(&json, "\(place).\(name)") ? 1 : 0
                case "beatsPerMinute": rate = try values.number(&json, "\(place).\(name)")
                default: try json.skip()
                }
            }
            offsets.append(try offset.required("\(place).timeSinceSeriesStart", "A number is required."))
            gaps.append(gap)
            rates.append(rate)
        }
        document.series[HeartbeatSeriesDocument.offsets] = offsets
        if gaps.contains(where: { !$0.isNaN }) {
            document.series[HeartbeatSeriesDocument.gaps] = gaps.map { $0.isNaN ? 0 : $0 }
        }
        if rates.contains(where: { !$0.isNaN }) { document.series[HeartbeatSeriesDocument.rates] = rates }
    }

    private func readLocations(_ json: inout JSONReader, into document: inout DocumentBody) throws {
        let member = "locations"
        let names = RouteDocument.Column.allCases.map { RecordingNames.location($0) }
        var columns = [[Double]](repeating: [], count: names.count)
        try values.list(&json, member) { json, index in
            let place = "\(member)[\(index)]"
            // What a location without these properties has.
            var row = RouteDocument.Column.allCases.map { column -> Double in
                switch column {
                case .timestamps, .latitudes, .longitudes: .nan
                case .altitudes, .horizontalAccuracies: 0
                default: -1
                }
            }
            try values.object(&json, place) { json, name in
                guard let column = names.firstIndex(of: name) else { return try json.skip() }
                row[column] =
                    column == 0
                    ? try values.instant(&json, "\(place).\(name)") : try values.number(&json, "\(place).\(name)")
            }
            guard !row.contains(where: \.isNaN) else {
                throw SampleReadingError(member: place, reason: "“timestamp”, “latitude” and “longitude” are required.")
            }
            for column in columns.indices { columns[column].append(row[column]) }
        }
        for (column, numbers) in zip(RouteDocument.Column.allCases, columns) {
            document.series[column.rawValue] = numbers
        }
    }
}

extension RecordingNames {
    static func value(of name: String, in names: [Int: String]) -> Int? {
        names.first { $0.value == name }?.key
    }
}
