import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Finds workouts of a store that are made of the same recording as one of a file.
struct StoredCopies {
    /// What is to be done with a workout of a file.
    enum Decision: Equatable {
        /// It is imported, and replaces copies of it with less detail.
        case add(replacing: [UUID])
        /// The store has it in the same or more detail.
        case leaveOut
    }

    private let engine: HealthEngine
    /// The workouts that the store had before the import, in order of their start.
    private let outlines: [ObjectOutline]
    private let longest: Double

    private static let workout = DeviceType.code("HKWorkoutTypeIdentifier")
    private static let route = DeviceType.code("HKWorkoutRouteTypeIdentifier")
    /// The beginnings of the identifiers of sources that this importer gives.
    private static let ownSources = ["fit.", "tcx.", "gpx.", "strava.", "google."]

    init(_ engine: HealthEngine) throws {
        self.engine = engine
        outlines = try engine.withReader(as: .reader) { try $0.objects(of: Self.workout) }.sorted {
            $0.start < $1.start
        }
        longest = outlines.reduce(0) { max($0, $1.end - $1.start) }
    }

    /// What is to be done with a workout: only what another file was imported from is replaced, never what an archive or
    /// an application has saved.
    ///
    /// - Parameter isExport: Whether an export wrote the file, which then never has more than what it was written from.
    func decide(_ object: ObjectRecord, _ recording: Recording, isExport: Bool) throws -> Decision {
        var replaced: [UUID] = []
        for outline in overlapping(object) {
            let shared = min(outline.end, object.end) - max(outline.start, object.start)
            let isLike =
                abs(outline.start - object.start) <= 1
                || shared > 0.5 * max(outline.end - outline.start, object.end - object.start)
            guard isLike || recording.identifier != nil, let stored = try read(outline) else { continue }
            if isExport {
                // Exports in whole seconds round times down.
                let coincides = abs(outline.start - object.start) < 1 && abs(outline.end - object.end) < 1.5
                if coincides || stored.recording.isSame(as: recording) { return .leaveOut }
                continue
            }
            let identifiers = Set([stored.recording.identifier, recording.identifier].compactMap(\.self))
            if identifiers.count > 1 { continue }
            // The same file again is recognized sample by sample.
            let isAgain =
                stored.object.revision?.source == object.revision?.source && stored.recording.start == recording.start
                && stored.recording.end == recording.end
                && (stored.object.body == object.body || stored.recording.detail == recording.detail)
            // A file by itself and the same one in an archive that has a name for it are one workout.
            if isAgain, stored.object.metadata != object.metadata { return .leaveOut }
            // So is one without samples of which an archive has other sums, because more of what they count was recorded.
            if isAgain, object.members.isEmpty, stored.object.body != object.body { return .leaveOut }
            if isAgain { continue }
            guard stored.recording.isSame(as: recording) else { continue }
            guard stored.recording.detail < recording.detail else { return .leaveOut }
            let source = stored.object.revision?.source.bundleIdentifier ?? ""
            if Self.ownSources.contains(where: source.hasPrefix) { replaced.append(stored.uuid) }
        }
        return .add(replacing: replaced)
    }

    private func overlapping(_ object: ObjectRecord) -> ArraySlice<ObjectOutline> {
        func first(_ date: Double) -> Int { outlines.partitionPoint { $0.start < date } }
        let range = first(object.start - longest)..<first(object.end)
        return outlines[range]
    }

    private func read(
        _ outline: ObjectOutline
    ) throws -> (uuid: UUID, object: ObjectRecord, recording: Recording)? {
        try engine.withReader(as: .reader) { reader in
            guard let object = try reader.object(outline.sequence), let uuid = object.uuid else { return nil }
            var objects = [object]
            try reader.fillMembers(of: &objects)
            let members = try reader.members(of: outline.sequence)
            let routes = try members.filter { $0.type == Self.route }.compactMap { try reader.object($0.sequence) }
            return (uuid, objects[0], Recording(objects[0], routes: routes))
        }
    }
}
