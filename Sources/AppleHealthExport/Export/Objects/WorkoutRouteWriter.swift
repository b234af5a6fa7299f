import HealthFiles
import HealthModel

/// Writes a route as a `WorkoutRoute` element and the GPX file it refers to: the counterpart of
/// ``WorkoutRouteReader``.
enum WorkoutRouteWriter {
    private static let folder = "/workout-routes/"

    /// The path of a route's file: the path in the archive it was imported from, or one made of the local time at which
    /// the workout ended. It may not be unique; see ``AuxiliaryFileNames``.
    static func path(of route: ObjectRecord, workoutEnd: Double, offset: Int) -> String {
        if let path = route.metadata.text(WorkoutRouteReader.pathKey), path.hasPrefix(folder),
            path.dropFirst(folder.count).count > 0, !path.dropFirst(folder.count).contains("/"),
            (try? AuxiliaryPath(path)) != nil
        {
            return path
        }
        let clock = FileNameClock(workoutEnd, offset: offset)
        return "\(folder)route_\(clock.day)_\(clock.twelveHours(separator: ".")).gpx"
    }

    /// Whether points of the route have unknown content that a GPX file cannot hold, so that they must be in the main
    /// file.
    static func requiresInlinePoints(_ route: ObjectRecord) -> Bool {
        ArchivedMetadata.hasSpelling(of: WorkoutRouteReader.pointName, in: route.metadata)
    }

    /// The element that refers to the file at `path`.
    static func write(
        _ route: ObjectRecord, path: String, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: ArchivedElement.workoutRoute)
        element.appendFrame(of: route, style)
        element.append(route.metadata, excluding: WorkoutRouteReader.ownKeys, &tally)
        let attribute = ArchivedElement.Attribute(name: "path", value: path)
        let plain = ArchivedElement(name: WorkoutRouteReader.fileName, attributes: [attribute])
        for var reference in ArchivedMetadata.spelled([plain], in: route.metadata) {
            reference.set(attribute)
            element.children.append(reference)
        }
        return element
    }

    /// The GPX file of a route in an archive with the export date `exported`; `nil` for inconsistent points.
    static func file(_ route: ObjectRecord, workoutEnd: Double, exported: Double, offset: Int) -> [UInt8]? {
        guard case .document(let document) = route.body, var track = RouteTrack(document.series) else { return nil }
        track.decimals = RouteDecimals(text: route.metadata.text(WorkoutRouteReader.decimalsKey))
        let clock = FileNameClock(workoutEnd, offset: offset)
        let name =
            route.metadata.text(WorkoutRouteReader.nameKey) ?? "Route \(clock.day) \(clock.twelveHours(separator: ":"))"
        return GPXWriter.bytes(track, name: name, exported: exported)
    }
}

extension WorkoutRouteWriter {
    /// The element with its points inside, as in archives of iOS 12, for a single XML file.
    static func writeInline(_ route: ObjectRecord, _ style: RecordStyle, _ tally: inout ExportTally) -> ArchivedElement
    {
        var element = ArchivedElement(name: ArchivedElement.workoutRoute)
        element.appendFrame(of: route, style)
        element.append(route.metadata, excluding: WorkoutRouteReader.ownKeys, &tally)
        if ArchivedMetadata.hasSpelling(of: WorkoutRouteReader.fileName, in: route.metadata) {
            tally.report("unknown part of a reference to a route's file, only written to a zip file or folder")
        }
        guard case .document(let document) = route.body, let track = RouteTrack(document.series) else { return element }
        var points: [ArchivedElement] = []
        points.reserveCapacity(track.count)
        for point in track.points {
            var location = ArchivedElement(name: WorkoutRouteReader.pointName)
            // Dates usually have no fractions, but several points can be in one second.
            location.append("date", ArchiveDate.print(point.timestamp, offset: style.dates.offset))
            for (name, value) in [
                ("latitude", point.latitude), ("longitude", point.longitude), ("altitude", point.altitude),
                ("horizontalAccuracy", point.horizontalAccuracy), ("verticalAccuracy", point.verticalAccuracy),
                ("course", point.course), ("speed", point.speed),
            ] {
                location.append(name, DecimalText.print(value))
            }
            points.append(location)
        }
        element.children += ArchivedMetadata.spelled(points, in: route.metadata)
        return element
    }
}

/// An instant's local day and time in the form used in file names.
struct FileNameClock {
    /// `yyyy-MM-dd`.
    let day: String
    private let second: Int

    /// - Parameter offset: The offset from UTC in seconds.
    init(_ instant: Double, offset: Int) {
        let local = CivilDate.split(LocalClock.wholeSecond(instant) + offset)
        (day, second) = (LocalClock.dayText(number: local.day), local.second)
    }

    /// `3:00pm`, with a separator in place of the colon.
    func twelveHours(separator: String) -> String {
        let hour = second / 3_600
        let minute = second / 60 % 60
        return
            "\(hour % 12 == 0 ? 12 : hour % 12)\(separator)\(minute < 10 ? "0" : "")\(minute)\(hour < 12 ? "am" : "pm")"
    }
}
