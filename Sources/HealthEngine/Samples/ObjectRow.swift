import HealthModel
import HealthPages
import HealthStorage

/// A stored object whose payload is decoded at most once, when it is needed.
struct ObjectRow {
    /// The contents of the payload.
    typealias Contents = (metadata: Metadata, creation: Double?, body: ObjectBody)

    let stored: StoredObject
    /// Reads the samples that belong to it.
    let reader: MemberReader
    private var decoded: Contents?

    init(_ stored: StoredObject, reader: MemberReader) {
        self.stored = stored
        self.reader = reader
    }

    mutating func contents() throws(PageError) -> Contents {
        if let decoded { return decoded }
        let contents = try ObjectCoder.decode(stored.payload)
        decoded = contents
        return contents
    }

    /// Returns a workout's duration without pauses or, for other objects, end minus start.
    mutating func duration() throws(PageError) -> Double {
        if case .workout(let workout) = try contents().body { return workout.duration }
        return stored.end - stored.start
    }

    /// Returns the object as a record, as far as it may be read and without its members.
    mutating func record() throws -> ObjectRecord {
        let contents = try contents()
        let revision = reader.dictionaries.revision(stored.revision)
        return ObjectRecord(
            uuid: stored.uuid ?? reader.identities.uuid(for: stored.sequence), type: stored.type,
            start: stored.start, end: stored.end, revision: revision,
            device: reader.dictionaries.device(stored.device), metadata: contents.metadata,
            creation: contents.creation,
            body: try reader.limits?.visible(contents.body, of: revision) ?? contents.body, sequence: stored.sequence)
    }
}

extension ObjectRow {
    /// Returns a workout's figure of one quantity type: the one stored with it or, if there is none, the one computed
    /// from the samples that belong to it, which come from one recording and are not merged.
    ///
    /// This is where `Samples` depends on `Statistics`, which otherwise depends on `Samples`: a predicate on a
    /// workout's statistics and a statistics query must give the same figures.
    ///
    /// - Parameter activity: An activity of the workout, whose samples are those that start within it; `nil` for the
    ///   whole workout.
    mutating func figure(
        _ figure: WorkoutStatistic, of type: String, in activity: WorkoutBody.Activity? = nil
    ) throws -> QuantityRecord? {
        guard case .workout(let workout) = try contents().body else { return nil }
        let statistics = activity?.statistics ?? workout.statistics
        if statistics.contains(where: { $0.type == type }) { return figure.value(of: type, in: statistics) }
        guard let description = reader.dictionaries.type(identifier: type),
            let unit = description.canonicalUnit
        else { return nil }
        var (samples, series) = try reader.figureMembers(of: stored.sequence, type: description.code)
        if let activity {
            let within = samples.indices.filter { activity.contains(samples[$0]) }
            series = Dictionary(
                uniqueKeysWithValues: within.enumerated().compactMap { place, row in series[row].map { (place, $0) } })
            samples = within.map { samples[$0] }
        }
        let values = SampleAggregator.values(of: samples, type: description, series: series)
        return values.flatMap { figure.value(of: $0, unit: unit) }
    }

    /// Returns whether one of a workout's activities matches.
    mutating func hasActivity(_ condition: ActivityCondition) throws -> Bool {
        guard case .workout(let workout) = try contents().body else { return false }
        let uuid = stored.uuid ?? reader.identities.uuid(for: stored.sequence)
        for activity in workout.activities(of: uuid, start: stored.start, end: stored.end)
        where try condition.matches(activity, figure: { try figure($0, of: $1, in: activity) }) {
            return true
        }
        return false
    }
}

/// Selects the matching objects of one type.
struct ObjectSelector {
    let part: SelectionPart
    let reader: MemberReader
    private(set) var rows: [ObjectRow] = []

    /// Selects every matching object, ordered by start, or by sequence if the part begins after one.
    mutating func selectAll() throws {
        if let sequences = part.soughtSequences {
            for sequence in sequences {
                guard let object = try reader.snapshot.object(sequence: sequence), object.type == part.type else {
                    continue
                }
                try append(object)
            }
            return
        }
        try reader.snapshot.visitObjects(of: part.type, in: part.window) { object in
            try append(object)
            return true
        }
    }

    /// Selects the first matching objects in the order of their sequences, up to a sequence.
    mutating func select(first limit: Int, through last: Int64) throws {
        if part.soughtSequences != nil {
            try selectAll()
            rows.removeAll { $0.stored.sequence > last }
            return
        }
        try reader.snapshot.visitObjects(of: part.type, in: .sequencesAfter(part.after)) { object in
            guard object.sequence <= last else { return false }
            try append(object)
            return rows.count < limit
        }
    }

    private mutating func append(_ object: StoredObject) throws {
        guard object.sequence > part.after else { return }
        var row = ObjectRow(object, reader: reader)
        if try part.filter.matches(&row) { rows.append(row) }
    }
}
