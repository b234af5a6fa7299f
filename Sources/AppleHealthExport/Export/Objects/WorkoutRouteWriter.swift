import HealthModel

/// A route as a `WorkoutRoute` element and the GPX file it refers to: the twin of ``WorkoutRouteReader``.
enum WorkoutRouteWriter {
    private static let folder = "/workout-routes/"

    /// The path of a route's file: the one it had in the archive it came from, or else one made of the
    /// local time at which its workout ended. Another route may have the same; see ``CompanionNames``.
    static func path(of route: ObjectRecord, workoutEnd: Double, offset: Int) -> String {
        if case .string(let path)? = route.metadata[WorkoutRouteReader.pathKey], path.hasPrefix(folder),
            path.dropFirst(folder.count).count > 0, !path.dropFirst(folder.count).contains("/"),
            (try? CompanionPath(path)) != nil
        {
            return path
        }
        let clock = LocalClock(workoutEnd, offset: offset)
        return "\(folder)route_\(clock.day)_\(clock.twelveHours(separator: ".")).gpx"
    }

    /// Whether points of the route came with something that a file has no place for, so that they must stand
    /// in the main file.
    static func mustStandInline(_ route: ObjectRecord) -> Bool {
        ArchivedMetadata.hasSpelling(of: WorkoutRouteReader.pointName, in: route.metadata)
    }

    /// The element that refers to the file at `path`.
    static func write(
        _ route: ObjectRecord, path: String, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: ArchivedElement.workoutRoute)
        element.appendFrame(of: route, style)
        element.append(route.metadata, passedOver: WorkoutRouteReader.ownKeys, &tally)
        let attribute = ArchivedElement.Attribute(name: "path", value: path)
        let plain = ArchivedElement(name: WorkoutRouteReader.fileName, attributes: [attribute])
        for var reference in ArchivedMetadata.spelled([plain], in: route.metadata) {
            reference.set(attribute)
            element.children.append(reference)
        }
        return element
    }

    /// The GPX file of a route, in an archive made at the instant `exported`; `nil` for a record that holds
    /// no points that fit together.
    static func file(_ route: ObjectRecord, workoutEnd: Double, exported: Double, offset: Int) -> [UInt8]? {
        guard case .document(let document) = route.body, var track = RouteTrack(document.series) else { return nil }
        func text(_ key: String) -> String? {
            if case .string(let text)? = route.metadata[key] { text } else { nil }
        }
        track.decimals = RouteDecimals(text: text(WorkoutRouteReader.decimalsKey))
        let clock = LocalClock(workoutEnd, offset: offset)
        let name = text(WorkoutRouteReader.nameKey) ?? "Route \(clock.day) \(clock.twelveHours(separator: ":"))"
        return GPXWriter.bytes(track, name: name, exported: exported)
    }
}
