import HealthModel

extension WorkoutRouteWriter {
    /// The element with its points inside, as in archives of iOS 12: for a main file that stands alone.
    static func writeInline(_ route: ObjectRecord, _ style: RecordStyle, _ tally: inout ExportTally) -> ArchivedElement {
        var element = ArchivedElement(name: ArchivedElement.workoutRoute)
        element.appendFrame(of: route, style)
        element.append(route.metadata, passedOver: WorkoutRouteReader.ownKeys, &tally)
        if ArchivedMetadata.hasSpelling(of: WorkoutRouteReader.fileName, in: route.metadata) {
            tally.note("unknown part of a reference to a route's file; a zip or folder has a place for it")
        }
        guard case .document(let document) = route.body, let track = RouteTrack(document.series) else { return element }
        var points: [ArchivedElement] = []
        points.reserveCapacity(track.count)
        for point in track.points {
            var location = ArchivedElement(name: WorkoutRouteReader.pointName)
            // Several points may lie in one second: here fractions are worth more than the custom.
            location.append("date", DateText.print(point.timestamp, offset: style.dates.offset))
            for (name, value) in [
                ("latitude", point.latitude), ("longitude", point.longitude), ("altitude", point.altitude),
                ("horizontalAccuracy", point.horizontalAccuracy), ("verticalAccuracy", point.verticalAccuracy),
                ("course", point.course), ("speed", point.speed),
            ] {
                location.append(name, NumberText.print(value))
            }
            points.append(location)
        }
        element.children += ArchivedMetadata.spelled(points, in: route.metadata)
        return element
    }
}
