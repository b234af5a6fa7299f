package import Foundation
package import HealthEngine
package import HealthFormats
import HealthModel
import HealthStorage
import HealthStorageFiles

/// Exports workouts for programs that people train with: a file for each in a folder, or all of them in one file. A
/// workout is a track or activity, with its routes and the heart rates, cadence and power of its time; pauses divide it.
package struct WorkoutFileExporter {
    private let options: FormatOptions
    private let format: WorkoutFileFormat

    /// The workouts of an export.
    package enum Choice: Hashable, Sendable {
        /// All of the selected time, and routes without a workout.
        case all
        /// Those with these raw values of activities.
        case activities(Set<UInt>)
        /// One, whenever it was.
        case workout(UUID)
        /// One by its number in the list of all workouts, 1 for the latest.
        case number(Int)

        fileprivate var isOne: Bool {
            switch self {
            case .all, .activities: false
            case .workout, .number: true
            }
        }
    }

    /// A workout as a file.
    package struct File: Sendable {
        /// The name, with its ending.
        package let name: String
        package let bytes: [UInt8]
    }

    /// Creates an exporter.
    package init(_ format: WorkoutFileFormat, _ options: FormatOptions) {
        (self.format, self.options) = (format, options)
    }

    /// Writes a folder or, if the path is “-” or ends like the format, a file, atomically.
    ///
    /// - Throws: ``FormatError`` if the target can't be written, ``WorkoutFileError``, and storage errors.
    package func export(
        _ choice: Choice = .all, of engine: HealthEngine, to path: String, as caller: Caller
    ) throws -> FormatReport {
        let isFile = path == "-" || path.lowercased().hasSuffix("." + format.rawValue)
        return try options.write(to: path, as: isFile ? .file : .folder) { target in
            try engine.withReader(as: caller) { reading in
                let clock = LocalClock(timeZone: options.timeZone)
                guard isFile else {
                    var names: Set<String> = []
                    var report = try visit(choice, reading) { track in
                        let file = try OutputFile("\(target)/\(name(of: track, clock, &names))")
                        try file.write(text(of: track, clock))
                        try file.finish()
                    }
                    report.files = names.count
                    return report
                }
                let file = try OutputFile(target)
                var whole = WorkoutFileWriter(format, clock: clock)
                whole.begin()
                var report = try visit(choice, reading) { track in
                    whole.add(track)
                    try file.write(whole.text.take())
                }
                whole.end()
                try file.write(whole.text.take())
                try file.finish()
                report.files = 1
                return report
            }
        }
    }

    /// Returns a workout as a file.
    ///
    /// - Throws: ``WorkoutFileError`` if there is no such workout or, in GPX, if it has no route; storage errors.
    package func file(of workout: UUID, in engine: HealthEngine, as caller: Caller) throws -> File {
        try engine.withReader(as: caller) { reading in
            let clock = LocalClock(timeZone: options.timeZone)
            var (names, found): (Set<String>, File?) = ([], nil)
            _ = try visit(.workout(workout), reading) { track in
                found = File(name: name(of: track, clock, &names), bytes: text(of: track, clock))
            }
            guard let found else { throw WorkoutFileError.notFound(stored: 0) }
            return found
        }
    }

    /// Visits the workouts of a choice that the format can represent, and returns the report.
    private func visit(
        _ choice: Choice, _ reading: StoreReader, _ body: (WorkoutTrack) throws -> Void
    ) throws -> FormatReport {
        var report = FormatReport()
        let reader = try WorkoutTrackReader(reading)
        let workouts = try reader.workouts()
        var chosen = workouts.filter { options.selection.includes(start: $0.start) }
        switch choice {
        case .all: chosen += try reader.routesAlone().filter { options.selection.includes(start: $0.start) }
        case .activities: break
        case .workout(let uuid):
            let place = try reading.locate(uuid)
            chosen = workouts.filter { $0.sequence == place?.sequence && $0.type == place?.type }
        case .number(let number):
            chosen = (1...max(1, workouts.count)).contains(number) ? workouts.suffix(number).prefix(1).map(\.self) : []
        }
        for outline in chosen {
            guard let track = try reader.track(of: outline) else { continue }
            if case .activities(let raw) = choice, !raw.contains(track.workout?.activityType ?? 0) { continue }
            let kind = track.workout == nil ? "workoutRoute" : "workout"
            // A file of a workout has its time, one of a route the whole way.
            report.leaveOut("location", track.leftOut + (format == .gpx ? 0 : track.locationsOutside))
            if format == .gpx || track.workout == nil, track.segments.isEmpty {
                if choice.isOne { throw WorkoutFileError.noRoute }
                report.leaveOut(kind, 1)
                continue
            }
            try body(track)
            report.add(kind)
        }
        if choice.isOne, chosen.isEmpty { throw WorkoutFileError.notFound(stored: workouts.count) }
        return report
    }

    private func text(of track: WorkoutTrack, _ clock: LocalClock) -> [UInt8] {
        var whole = WorkoutFileWriter(format, clock: clock)
        whole.begin()
        whole.add(track)
        whole.end()
        return whole.text.bytes
    }

    /// The name of a track's file. The second one with a name gets a number.
    private func name(of track: WorkoutTrack, _ clock: LocalClock, _ names: inout Set<String>) -> String {
        let plain = track.fileName(clock)
        var (unique, number) = (plain, 2)
        while !names.insert(unique).inserted {
            unique = "\(plain)_\(number)"
            number += 1
        }
        return unique + "." + format.rawValue
    }
}

/// Why one workout isn't exported.
package enum WorkoutFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No workout is stored that was asked for, or the caller may not read it.
    case notFound(stored: Int)
    /// The format has routes only.
    case noRoute

    package var description: String {
        switch self {
        case .notFound(let stored): "The workout was not found. Workouts in the store: \(stored)."
        case .noRoute: "The workout has no route, and GPX has nothing else. Use FIT or TCX."
        }
    }
}
