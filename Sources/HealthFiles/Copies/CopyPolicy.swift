import Foundation
import HealthEngine
import HealthModel

/// Decides what of a file is a copy of something, gives way to something finer or has grown. Everything else is matched
/// by content when it is stored.
struct CopyPolicy {
    private let context: ImportContext
    private var recordings: RecordingCopies
    private var totals: DayTotals
    private var amounts: RevisedTotals
    private var mirrors = MirroredSamples()
    /// The workouts that were read, which other files may sum up, by the raw values of their activities.
    private var workouts: [UInt: Periods] = [:]

    init(_ context: ImportContext, _ formats: [FileFormat]) throws {
        self.context = context
        recordings = try RecordingCopies(context.engine, ownSources: formats.flatMap(\.sources))
        totals = try DayTotals(context, formats)
        amounts = try RevisedTotals(context.engine)
    }

    /// Takes note of the recordings of a file, to keep the one with the most detail of several files.
    mutating func survey(_ content: FileContent, file: Int) { recordings.add(content, file: file) }

    /// Decides which recordings are kept when all files were surveyed.
    mutating func rank() { recordings.rank() }

    /// Leaves out of a content what is known.
    ///
    /// - Returns: The workouts of the store that the content replaces.
    mutating func apply(to content: inout FileContent, file: Int, format: FileFormat) throws -> Set<UUID> {
        mirrors.take(from: &content, file: file)
        try leaveOutSummaries(of: &content)
        let replaced = try context.options.keepsCopies ? [] : recordings.leaveOut(of: &content, file: file)
        try totals.apply(to: &content, format)
        try amounts.leaveOutOutdated(of: &content)
        return replaced
    }

    /// The copies that waited until all files were read, by file.
    var rest: [(file: Int, content: FileContent)] { mirrors.rest }

    /// Removes what has got finer or grown from the store when everything is stored.
    ///
    /// - Returns: The numbers of samples removed, by what they were.
    func finish() throws -> [(String, Int)] {
        [
            (
                "total of a day in the store, removed because the files have more of the day",
                try totals.removeCovered()
            ),
            ("amount in the store, removed because it has grown since", try amounts.removeOutdated()),
        ].filter { $0.1 > 0 }
    }

    private mutating func leaveOutSummaries(of content: inout FileContent) throws {
        var known: Set<Int> = []
        for (place, object) in content.objects.enumerated() {
            guard case .workout(let body) = object.body else { continue }
            func isRead() -> Bool {
                workouts.contains { activity, periods in
                    Recording.isLike(activity, body.activityType) && periods.contains(object.start, object.end)
                }
            }
            if content.summaries.contains(place), try isRead() || recordings.hasRecording(of: object) {
                known.insert(place)
            } else {
                workouts[body.activityType, default: Periods()].add(object.start, object.end)
            }
        }
        content.remove(known)
        if !known.isEmpty { content.leaveOut("workout that another file has in more detail", count: known.count) }
    }
}
