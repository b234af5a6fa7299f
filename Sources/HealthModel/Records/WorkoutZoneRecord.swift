package import Foundation

/// The time of a workout, or of one of its activities, in the zones of one quantity type.
///
/// A workout keeps these records as archived elements (``WorkoutBody/archived``), which every version reads.
package struct WorkoutZoneRecord: Hashable, Sendable, Codable {
    /// Where the boundaries come from.
    package enum Source: String, Hashable, Sendable, Codable {
        /// Calculated from what is known about the person.
        case system
        /// Set by the person.
        case user
        /// Set by the application for one workout.
        case app
    }

    /// The quantity type's identifier.
    package var type: String
    /// The unit string of the boundaries.
    package var unit: String
    /// The boundaries between the zones, ascending: zone 0 is below the first, the last zone from the last one on.
    package var boundaries: [Double]
    /// Where the boundaries come from.
    package var source: Source
    /// The seconds in each zone, one more than there are boundaries.
    package var durations: [Double]
    /// The activity that the durations are of; `nil` for the whole workout.
    package var activity: UUID?

    /// Creates a record. Nothing is checked.
    package init(
        type: String, unit: String, boundaries: [Double], source: Source, durations: [Double], activity: UUID? = nil
    ) {
        self.type = type
        self.unit = unit
        self.boundaries = boundaries
        self.source = source
        self.durations = durations
        self.activity = activity
    }
}

extension WorkoutZoneRecord {
    /// The tag of the element.
    static let elementName = "WorkoutZones"

    /// Reads an element of a workout; `nil` for any other one and for one that is not valid, which stays as it is.
    init?(_ element: ArchivedElement) {
        func numbers(_ name: String) -> [Double]? {
            guard let text = element[name] else { return nil }
            let words = text.split(separator: " ")
            let numbers = words.compactMap { Double($0) }
            return numbers.count == words.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
        }
        guard element.name == Self.elementName, let type = element["type"], let unit = element["unit"],
            let source = element["source"].flatMap(Source.init(rawValue:)),
            let boundaries = numbers("boundaries"), let durations = numbers("durations"),
            !boundaries.isEmpty, durations.count == boundaries.count + 1,
            zip(boundaries, boundaries.dropFirst()).allSatisfy({ $0 < $1 }), durations.allSatisfy({ $0 >= 0 })
        else { return nil }
        let activity = element["activity"].flatMap { UUID(uuidString: $0) }
        guard activity != nil || element["activity"] == nil else { return nil }
        self.init(
            type: type, unit: unit, boundaries: boundaries, source: source, durations: durations, activity: activity)
    }

    /// The element that keeps the record.
    var element: ArchivedElement {
        func text(_ numbers: [Double]) -> String { numbers.map { "\($0)" }.joined(separator: " ") }
        var attributes = [
            ArchivedElement.Attribute(name: "type", value: type), .init(name: "unit", value: unit),
            .init(name: "source", value: source.rawValue), .init(name: "boundaries", value: text(boundaries)),
            .init(name: "durations", value: text(durations)),
        ]
        if let activity { attributes.append(.init(name: "activity", value: activity.uuidString)) }
        return ArchivedElement(name: Self.elementName, attributes: attributes)
    }
}

extension WorkoutBody {
    /// The zones of the workout and of its activities. They are part of ``archived``.
    package var zones: [WorkoutZoneRecord] {
        get { archived.isEmpty ? [] : archived.compactMap(WorkoutZoneRecord.init) }
        set {
            archived.removeAll { WorkoutZoneRecord($0) != nil }
            archived += newValue.map(\.element)
        }
    }

    /// The archived elements that aren't zones, as an archive may contain them.
    package var archivedWithoutZones: [ArchivedElement] {
        archived.isEmpty ? [] : archived.filter { WorkoutZoneRecord($0) == nil }
    }
}
