import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Finds workouts that several files of an import have, or that the store has, and keeps the one with the most detail.
struct RecordingCopies {
    /// A workout of a file.
    private struct Entry {
        let file: Int
        let object: Int
        let recording: Recording
    }

    private let engine: HealthEngine
    /// How the identifiers of sources begin whose workouts give way to copies with more detail.
    private let ownSources: [String]
    private var entries: [Entry] = []
    /// The numbers of the objects of each file that another file has in the same or more detail.
    private var surplus: [Int: Set<Int>] = [:]
    /// A workout of the store.
    private struct Outline {
        let sequence: Int64
        let start: Double
        let end: Double
        /// The workout before the person corrected it, which the outline is of. Its file has it still.
        var original: OriginalWorkout?
    }

    /// The workouts that the store had before the import, in order of their start; corrected ones also as they were.
    private let outlines: [Outline]
    /// The sequences of the corrected ones.
    private let corrected: Set<Int64>
    private let longest: Double
    /// Workouts of the store that a file has replaced.
    private var replaced: Set<UUID> = []

    private static let route = MeasuredType.code("HKWorkoutRouteTypeIdentifier")

    init(_ engine: HealthEngine, ownSources: [String]) throws {
        (self.engine, self.ownSources) = (engine, ownSources)
        let workout = MeasuredType.code("HKWorkoutTypeIdentifier")
        let stored = try engine.withReader(as: .reader) { try $0.objects(of: workout) }.map {
            Outline(sequence: $0.sequence, start: $0.start, end: $0.end)
        }
        let originals = try engine.storage.read { try OriginalWorkout.all(in: $0) }.map { original, object in
            Outline(sequence: object.sequence, start: original.start, end: original.end, original: original)
        }
        corrected = Set(originals.map(\.sequence))
        outlines = (stored + originals).sorted { $0.start < $1.start }
        longest = outlines.reduce(0) { max($0, $1.end - $1.start) }
    }

    // MARK: - Files

    /// Takes note of the workouts of a file.
    mutating func add(_ content: FileContent, file: Int) {
        for place in content.objects.indices {
            guard let recording = content.recording(of: place) else { continue }
            entries.append(Entry(file: file, object: place, recording: recording))
        }
    }

    /// Decides which workouts of the files are kept; of equals, that of the first file.
    mutating func rank() {
        var kept: [Entry] = []
        let ranked = entries.enumerated().sorted {
            ($1.element.recording.detail, $0.offset) < ($0.element.recording.detail, $1.offset)
        }
        // Those that may overlap, by day: comparing each with each would take long for thousands.
        var days: [Int: [Int]] = [:]
        for (_, entry) in ranked {
            let near = Self.days(entry.recording).flatMap { days[$0] ?? [] }
            if near.contains(where: { kept[$0].recording.isSame(as: entry.recording) }) {
                surplus[entry.file, default: []].insert(entry.object)
                continue
            }
            for day in Self.days(entry.recording) { days[day, default: []].append(kept.count) }
            kept.append(entry)
        }
        entries = []
    }

    /// The days in which a recording begins and ends.
    private static func days(_ recording: Recording) -> Set<Int> {
        Set([recording.start, recording.end].map { Int(max(-1e12, min(1e12, $0)) / 86_400) })
    }

    /// Leaves out of a content what is elsewhere in more detail.
    ///
    /// - Returns: The workouts of the store that the content replaces.
    mutating func leaveOut(of content: inout FileContent, file: Int) throws -> Set<UUID> {
        var left = surplus[file] ?? []
        var found: Set<UUID> = []
        for place in content.objects.indices where !left.contains(place) {
            guard let recording = content.recording(of: place) else { continue }
            guard let copies = try copies(of: content.objects[place], recording, isExport: content.isExport) else {
                left.insert(place)
                continue
            }
            let new = Set(copies).subtracting(replaced).subtracting(found)
            guard !new.isEmpty else { continue }
            content.leaveOut("workout of the store with less detail than a copy of it", count: new.count)
            found.formUnion(new)
        }
        replaced.formUnion(found)
        content.remove(left)
        if !left.isEmpty { content.leaveOut("workout with no more detail than a copy of it", count: left.count) }
        return found
    }

    // MARK: - The store

    /// The copies of a workout with less detail, which it replaces: only ones that were imported from another file, never
    /// one that an archive or an application has saved.
    ///
    /// - Parameter isExport: Whether an export wrote the file, which then never has more than what it was written from.
    /// - Returns: `nil` if the store has the workout in the same or more detail.
    private func copies(of object: ObjectRecord, _ recording: Recording, isExport: Bool) throws -> [UUID]? {
        var replaced: [UUID] = []
        // An export has a corrected workout as it is, any other file as it was.
        for outline in overlapping(object)
        where isExport ? outline.original == nil : outline.original != nil || !corrected.contains(outline.sequence) {
            let shared = min(outline.end, object.end) - max(outline.start, object.start)
            let isLike =
                abs(outline.start - object.start) <= 1
                || shared > 0.5 * max(outline.end - outline.start, object.end - object.start)
            guard isLike || recording.identifier != nil, let stored = try read(outline) else { continue }
            if isExport {
                // Exports in whole seconds round times down.
                let coincides = abs(outline.start - object.start) < 1 && abs(outline.end - object.end) < 1.5
                if coincides || stored.recording.isSame(as: recording) { return nil }
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
            if isAgain, stored.object.metadata != object.metadata { return nil }
            // So is one without samples of which an archive has other sums, because more of what they count was recorded.
            if isAgain, object.members.isEmpty, stored.object.body != object.body { return nil }
            if isAgain { continue }
            let isSame = stored.recording.isSame(as: recording)
            if isSame, outline.original != nil || stored.recording.detail >= recording.detail { return nil }
            let givesWay =
                outline.original == nil && stored.recording.isByTotals && !recording.isByTotals
                && stored.recording.isLike(recording)
            guard isSame || givesWay && Self.isHalf(outline, object) else { continue }
            let source = stored.object.revision?.source.bundleIdentifier ?? ""
            if ownSources.contains(where: source.hasPrefix) { replaced.append(stored.uuid) }
        }
        return replaced
    }

    /// Whether the store has a recording of another source with the activity and half the time of a workout by totals.
    func hasRecording(of summary: ObjectRecord) throws -> Bool {
        let recording = Recording(summary, routes: [])
        return try overlapping(summary).contains { outline in
            guard Self.isHalf(outline, summary), let stored = try read(outline), !stored.recording.isByTotals,
                stored.recording.isLike(recording)
            else { return false }
            return stored.object.revision?.source != summary.revision?.source
        }
    }

    /// Whether two workouts have at least half of the longer one's time in common.
    private static func isHalf(_ outline: Outline, _ object: ObjectRecord) -> Bool {
        min(outline.end, object.end) - max(outline.start, object.start)
            >= 0.5 * max(outline.end - outline.start, object.end - object.start)
    }

    private func overlapping(_ object: ObjectRecord) -> ArraySlice<Outline> {
        func first(_ date: Double) -> Int { outlines.partitionPoint { $0.start < date } }
        let range = first(object.start - longest)..<first(object.end)
        return outlines[range]
    }

    private func read(
        _ outline: Outline
    ) throws -> (uuid: UUID, object: ObjectRecord, recording: Recording)? {
        try engine.withReader(as: .reader) { reader in
            guard var object = try reader.object(outline.sequence), let uuid = object.uuid else { return nil }
            if let original = outline.original { object = try original.restored(object) }
            var objects = [object]
            try reader.fillMembers(of: &objects)
            let members = try reader.members(of: outline.sequence)
            let routes = try members.filter { $0.type == Self.route }.compactMap { try reader.object($0.sequence) }
            return (uuid, objects[0], Recording(objects[0], routes: routes))
        }
    }
}
