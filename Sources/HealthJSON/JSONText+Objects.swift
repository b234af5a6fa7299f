import Foundation
package import HealthModel

// MARK: - Workouts and summaries

extension JSONText {
    /// Writes the members of a workout that other samples don't have.
    ///
    /// - Parameter shown: The unit in which quantities of a type are shown instead of another, and the conversion to it.
    package mutating func members(
        of workout: WorkoutBody, _ instants: InstantWriter,
        shown: (_ unit: String, _ type: String) -> (unit: String, conversion: UnitConversion) = { unit, _ in
            (unit, .identity)
        }
    ) {
        func total(_ total: WorkoutTotal, _ type: String) -> QuantityRecord? {
            workout.total(total).map { quantity in
                let (unit, conversion) = shown(quantity.unit, "HKQuantityTypeIdentifier\(type)")
                return QuantityRecord(conversion(quantity.value), unit: unit)
            }
        }
        member("duration", number: workout.duration)
        activityType(workout.activityType)
        member("totalEnergyBurned", measure: total(.energyBurned, "ActiveEnergyBurned"))
        member("totalDistance", measure: total(.distance, "DistanceWalkingRunning"))
        member("totalSwimmingStrokeCount", measure: workout.totalSwimmingStrokeCount)
        member("totalFlightsClimbed", measure: workout.totalFlightsClimbed)
        parts(workout.events, workout.statistics, instants)
        if !workout.activities.isEmpty {
            array("workoutActivities") { json in
                for activity in workout.activities { json.activity(activity, instants) }
            }
        }
        let zones = workout.zones
        guard !zones.isEmpty else { return }
        array("zoneGroups") { json in for zone in zones { json.zoneGroup(zone) } }
    }

    private mutating func activityType(_ value: UInt) {
        member("workoutActivityType", integer: Int(clamping: value))
        member("workoutActivityTypeName", text: ValueNames.activity(value))
    }

    private mutating func activity(_ activity: WorkoutBody.Activity, _ instants: InstantWriter) {
        object { json in
            json.member("uuid", text: activity.uuid.uuidString)
            json.activityType(activity.activityType)
            json.member("locationType", integer: activity.locationType)
            json.member("swimmingLocationType", integer: activity.swimmingLocationType)
            json.member("lapLength", measure: activity.lapLength)
            json.member("startDate", instant: activity.start, instants)
            json.member("endDate", instant: activity.end, instants)
            json.member("duration", number: activity.duration)
            json.parts(activity.events, activity.statistics, instants)
            json.member("metadata", metadata: activity.metadata, instants)
        }
    }

    private mutating func parts(
        _ events: [WorkoutBody.Event], _ statistics: [WorkoutBody.Statistics], _ instants: InstantWriter
    ) {
        if !events.isEmpty {
            array("workoutEvents") { json in
                for event in events {
                    json.object { json in
                        json.member("type", integer: event.type)
                        json.member("typeName", text: ValueNames.event(event.type))
                        json.member("startDate", instant: event.start, instants)
                        json.member("endDate", instant: event.end, instants)
                        json.member("metadata", metadata: event.metadata, instants)
                    }
                }
            }
        }
        guard !statistics.isEmpty else { return }
        array("statistics") { json in for figures in statistics { json.statistics(figures, instants) } }
    }

    /// Writes statistics that are stored with a workout.
    package mutating func statistics(_ figures: WorkoutBody.Statistics, _ instants: InstantWriter) {
        object { json in
            json.member("type", text: figures.type)
            json.member("startDate", instant: figures.start, instants)
            json.member("endDate", instant: figures.end, instants)
            json.member("sumQuantity", number: figures.sum)
            json.member("averageQuantity", number: figures.average)
            json.member("minimumQuantity", number: figures.minimum)
            json.member("maximumQuantity", number: figures.maximum)
            json.member("unit", text: figures.unit)
        }
    }

    /// Writes the time in the zones of one type.
    package mutating func zoneGroup(_ record: WorkoutZoneRecord) {
        object { json in
            json.member("quantityType", text: record.type)
            json.member("unit", text: record.unit)
            json.member("source", text: record.source.rawValue)
            json.member("activity", text: record.activity?.uuidString)
            json.array("zones") { json in
                for (index, duration) in record.durations.enumerated() {
                    json.object { json in
                        if index > 0 { json.member("minimum", number: record.boundaries[index - 1]) }
                        if index < record.boundaries.count { json.member("maximum", number: record.boundaries[index]) }
                        json.member("duration", number: duration)
                    }
                }
            }
        }
    }

    /// Writes the members of a day's activity summary as it was imported.
    package mutating func members(of summary: ActivitySummaryBody) {
        let day = CivilDate.dayNumber(year: summary.year, month: summary.month, day: summary.day)
        member("date", text: LocalClock.dayText(number: day))
        member("activityMoveMode", integer: summary.moveMode)
        member("activeEnergyBurned", measure: summary.activeEnergyBurned)
        member("activeEnergyBurnedGoal", measure: summary.activeEnergyBurnedGoal)
        member("appleMoveTime", measure: summary.appleMoveTime)
        member("appleMoveTimeGoal", measure: summary.appleMoveTimeGoal)
        member("appleExerciseTime", measure: summary.appleExerciseTime)
        member("exerciseTimeGoal", measure: summary.appleExerciseTimeGoal)
        member("appleStandHours", measure: summary.appleStandHours)
        member("standHoursGoal", measure: summary.appleStandHoursGoal)
        member("isPaused", flag: summary.isPaused)
    }
}

// MARK: - Recordings

extension JSONText {
    /// Writes the members of an electrocardiogram.
    package mutating func members(ofElectrocardiogram document: DocumentBody, includesSeries: Bool) {
        typealias Field = ElectrocardiogramDocument
        func integer(_ name: String) -> Int? { document[name]?.number.flatMap { Int(exactly: $0) } }
        func measure(_ name: String) -> QuantityRecord? {
            if case .quantity(let quantity)? = document[name] { quantity } else { nil }
        }
        let (classification, symptoms) = (integer(Field.classification), integer(Field.symptomsStatus))
        member("classification", integer: classification)
        member("classificationName", text: classification.flatMap { RecordingNames.classifications[$0] })
        member("symptomsStatus", integer: symptoms)
        member("symptomsStatusName", text: symptoms.flatMap { RecordingNames.symptoms[$0] })
        member("averageHeartRate", measure: measure(Field.averageHeartRate))
        member("samplingFrequency", measure: measure(Field.samplingFrequency))
        let times = document.series[Field.times] ?? []
        member("numberOfVoltageMeasurements", integer: times.count)
        guard includesSeries else { return }
        object("voltageMeasurements") { json in
            json.member("unit", text: "V")
            json.key("timeSinceSampleStart")
            json.numbers(times)
            json.key("appleWatchSimilarToLeadI")
            json.numbers(document.series[Field.voltages(lead: 1)] ?? [])
        }
    }

    /// Writes the beats of a heartbeat series.
    package mutating func heartbeats(_ document: DocumentBody) {
        typealias Series = HeartbeatSeriesDocument
        let (gaps, rates) = (document.series[Series.gaps], document.series[Series.rates])
        array("heartbeats") { json in
            for (index, offset) in (document.series[Series.offsets] ?? []).enumerated() {
                json.object { json in
                    json.member("timeSinceSeriesStart", number: offset)
                    if let gaps, index < gaps.count {
                        json.member("precededByGap", flag: gaps[index] != 0)
                    }
                    if let rates, index < rates.count, !rates[index].isNaN {
                        json.member("beatsPerMinute", number: rates[index])
                    }
                }
            }
        }
    }

    /// Writes the locations of a route.
    package mutating func locations(_ document: DocumentBody, _ instants: InstantWriter) {
        let columns = RouteDocument.Column.allCases.filter { $0 != .timestamps }.map { column in
            (name: RecordingNames.location(column), values: document.series[column.rawValue] ?? [])
        }
        array("locations") { json in
            for (row, time) in (document.series[RouteDocument.Column.timestamps.rawValue] ?? []).enumerated() {
                json.object { json in
                    json.member("timestamp", instant: time, instants)
                    for column in columns where row < column.values.count {
                        json.member(column.name, number: column.values[row])
                    }
                }
            }
        }
    }
}

// MARK: - Elements

extension JSONText {
    /// Writes an element of an archive whose type is unknown.
    package mutating func element(_ element: ArchivedElement) {
        object { json in
            json.member("element", text: element.name)
            for attribute in element.attributes { json.member("@" + attribute.name, text: attribute.value) }
            guard !element.children.isEmpty else { return }
            json.array("children") { json in for child in element.children { json.element(child) } }
        }
    }
}

/// The names of the parts of recordings, by the values and columns that are stored.
package enum RecordingNames {
    package static let classifications = [
        0: "notSet", 1: "sinusRhythm", 2: "atrialFibrillation", 3: "inconclusiveLowHeartRate",
        4: "inconclusiveHighHeartRate", 5: "inconclusivePoorReading", 6: "inconclusiveOther", 100: "unrecognized",
    ]
    package static let symptoms = [0: "notSet", 1: "none", 2: "present"]

    /// The name of a property of one location, in the singular: `latitude`, `horizontalAccuracy`.
    package static func location(_ column: RouteDocument.Column) -> String {
        let name = column.rawValue
        return name.hasSuffix("ies") ? name.dropLast(3) + "y" : String(name.dropLast())
    }
}
