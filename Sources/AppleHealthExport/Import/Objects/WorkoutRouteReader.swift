import HealthModel

/// A `WorkoutRoute` element as an object with its points: those of the GPX file it refers to, or those
/// that stand inside it, as in archives of iOS 12.
enum WorkoutRouteReader {
    static let identifier = "HKWorkoutRouteTypeIdentifier"
    /// The tag of a point that stands in the main file.
    static let pointName = "Location"
    /// The tag of the reference to a file with points.
    static let fileName = "FileReference"
    /// The path of the file in the archive it came from.
    static let pathKey = MetadataKey.archivedPrefix + "route.path"
    /// What that file calls its track.
    static let nameKey = MetadataKey.archivedPrefix + "route.name"
    /// How many decimals that file gives, where it is not Apple's way; see ``RouteDecimals/text``.
    static let decimalsKey = MetadataKey.archivedPrefix + "route.decimals"

    /// All of these.
    static let ownKeys: Set = [pathKey, nameKey, decimalsKey]

    /// What reading a route came to.
    struct Reading {
        var route: ObjectRecord
        /// Points that said nothing of where or when; they are not in the route.
        var dropped: Int
    }

    /// Throws what keeps it from being a route; then it should be kept as it is.
    static func read(
        _ element: ArchivedElement, companions: any CompanionFiles
    ) throws(ObjectRefusal) -> Reading {
        let frame = try ElementFrame(element)
        var metadata = ElementMetadata.metadata(of: element, known: ElementFrame.attributeNames)
        var track = RouteTrack()
        var hasPoints = false
        // Points that came with something a point has no place for, by their number in the track.
        var odd: [Int: ArchivedElement] = [:]
        for child in element.children where ElementMetadata.entry(child) == nil {
            switch child.name {
            case fileName:
                guard !hasPoints else { throw ObjectRefusal("it has more than one file") }
                guard let path = child["path"] else { throw ObjectRefusal("it names no file") }
                do throws(CompanionError) {
                    track = try GPXReader.read(companions.source(of: path, limit: GPXReader.greatestFile))
                } catch {
                    throw ObjectRefusal(error.reason)
                }
                hasPoints = true
                metadata.entries.append(.init(key: pathKey, value: .string(path)))
                if child.attributes.count > 1 || !child.children.isEmpty {
                    metadata.entries.append(ArchivedMetadata.spelling(of: child, number: 0))
                }
                if let name = track.name { metadata.entries.append(.init(key: nameKey, value: .string(name))) }
                if let text = track.decimals.text {
                    metadata.entries.append(.init(key: decimalsKey, value: .string(text)))
                }
            case pointName:
                let number = track.count
                do throws(CompanionError) {
                    try track.append(point(child))
                } catch {
                    throw ObjectRefusal(error.reason)
                }
                hasPoints = true
                if track.count > number, !isPlain(child) { odd[number] = child }
            default:
                metadata.entries.append(ArchivedMetadata.child(child))
            }
        }
        guard hasPoints else { throw ObjectRefusal("it names no file") }
        guard track.count > 0 || track.dropped == 0 else {
            throw ObjectRefusal("none of its points says where and when")
        }
        if !odd.isEmpty {
            for (place, number) in track.order.enumerated() {
                if let child = odd[number] { metadata.entries.append(ArchivedMetadata.spelling(of: child, number: place)) }
            }
        }
        let route = ObjectRecord(
            type: TypeCatalog.description(for: identifier)!.code, start: frame.start, end: frame.end,
            revision: frame.revision, device: frame.device, metadata: metadata, creation: frame.creation,
            body: .document(DocumentBody(series: track.series)))
        return Reading(route: route, dropped: track.dropped)
    }

    private static let pointAttributes = KnownMarkup.element(named: pointName)?.attributes ?? []

    /// Whether a `Location` says nothing that a point has no place for.
    private static func isPlain(_ element: ArchivedElement) -> Bool {
        element.children.isEmpty && element.attributes.allSatisfy { pointAttributes.contains($0.name) }
    }

    /// A `Location` element.
    private static func point(_ element: ArchivedElement) -> RouteTrack.Point {
        func number(_ name: String) -> Double? { element[name].flatMap { NumberText.parse($0) } }
        var point = RouteTrack.Point()
        point.timestamp = element["date"].flatMap(DateText.parse) ?? .nan
        point.latitude = number("latitude") ?? .nan
        point.longitude = number("longitude") ?? .nan
        point.altitude = number("altitude") ?? 0
        point.horizontalAccuracy = number("horizontalAccuracy") ?? RouteTrack.unknown
        point.verticalAccuracy = number("verticalAccuracy") ?? RouteTrack.unknown
        point.course = number("course") ?? RouteTrack.unknown
        point.speed = number("speed") ?? RouteTrack.unknown
        return point
    }
}
