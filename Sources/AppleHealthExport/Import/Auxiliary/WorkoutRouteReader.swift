import HealthFiles
import HealthModel

/// Reads a `WorkoutRoute` element with its points, which are in the GPX file it refers to or, in archives of iOS 12,
/// inside the element.
enum WorkoutRouteReader {
    static let identifier = "HKWorkoutRouteTypeIdentifier"
    /// The name of the element of a point in the main file.
    static let pointName = "Location"
    /// The name of the element that refers to a file.
    static let fileName = "FileReference"
    /// The metadata key of the file's path in the archive.
    static let pathKey = MetadataKey.archivedPrefix + "route.path"
    /// The metadata key of the track's name in the file.
    static let nameKey = MetadataKey.archivedPrefix + "route.name"
    /// The metadata key of the number of decimals in the file, if it is not Apple's; see ``RouteDecimals/text``.
    static let decimalsKey = MetadataKey.archivedPrefix + "route.decimals"

    /// All of these keys.
    static let ownKeys: Set = [pathKey, nameKey, decimalsKey]

    /// The result of reading a route.
    struct Reading {
        var route: ObjectRecord
        /// The number of points without a place or time, which are not in the route.
        var dropped: Int
    }

    /// Reads an element. Throws if it is not a valid route; it should then be kept as it is.
    static func read(
        _ element: ArchivedElement, auxiliaryFiles: any AuxiliaryFiles
    ) throws(ElementError) -> Reading {
        let frame = try ElementFrame(element)
        var metadata = ElementMetadata.metadata(of: element, known: ElementFrame.attributeNames)
        var track = RouteTrack()
        var hasPoints = false
        // Points with unknown content, by their position in the track.
        var odd: [Int: ArchivedElement] = [:]
        for child in element.children where ElementMetadata.entry(child) == nil {
            switch child.name {
            case fileName:
                guard !hasPoints else { throw ElementError("it has more than one file") }
                guard let path = child["path"] else { throw ElementError("its file reference has no path") }
                do throws(AuxiliaryFileError) {
                    track = try GPXReader.read(auxiliaryFiles.source(of: path, limit: GPXReader.maximumFileSize))
                } catch {
                    throw ElementError(error.reason)
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
                do throws(AuxiliaryFileError) {
                    try track.append(point(child))
                } catch {
                    throw ElementError(error.reason)
                }
                hasPoints = true
                if track.count > number, !isPlain(child) { odd[number] = child }
            default:
                metadata.entries.append(ArchivedMetadata.child(child))
            }
        }
        guard hasPoints else { throw ElementError("it has neither a file nor points") }
        guard track.count > 0 || track.dropped == 0 else {
            throw ElementError("none of its points has a place and time")
        }
        if !odd.isEmpty {
            for (place, number) in track.order.enumerated() {
                if let child = odd[number] {
                    metadata.entries.append(ArchivedMetadata.spelling(of: child, number: place))
                }
            }
        }
        let route = ObjectRecord(
            type: TypeCatalog.description(for: identifier)!.code, start: frame.start, end: frame.end,
            revision: frame.revision, device: frame.device, metadata: metadata, creation: frame.creation,
            body: .document(DocumentBody(series: track.series)))
        return Reading(route: route, dropped: track.dropped)
    }

    private static let pointAttributes = KnownMarkup.element(named: pointName)?.attributes ?? []

    /// Whether a `Location` has no unknown content.
    private static func isPlain(_ element: ArchivedElement) -> Bool {
        element.children.isEmpty && element.attributes.allSatisfy { pointAttributes.contains($0.name) }
    }

    /// A `Location` element.
    private static func point(_ element: ArchivedElement) -> RouteTrack.Point {
        func number(_ name: String) -> Double? {
            element[name].flatMap { DecimalText.parse($0) }.flatMap { $0.isFinite ? $0 : nil }
        }
        var point = RouteTrack.Point()
        point.timestamp = element["date"].flatMap(ArchiveDate.parse) ?? .nan
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

/// The points of a route.
struct RouteTrack: Equatable {
    typealias Column = RouteDocument.Column

    /// The maximum number of points: 139 hours with one per second.
    static let maximumCount = 500_000
    /// The value of a column if the file has none.
    static let unknown = -1.0

    /// One point.
    struct Point: Equatable {
        var timestamp = Double.nan
        var latitude = Double.nan
        var longitude = Double.nan
        var altitude = 0.0
        var horizontalAccuracy = RouteTrack.unknown
        var verticalAccuracy = RouteTrack.unknown
        var course = RouteTrack.unknown
        var courseAccuracy = RouteTrack.unknown
        var speed = RouteTrack.unknown
        var speedAccuracy = RouteTrack.unknown

        /// Whether the point has a valid place and time.
        var isValid: Bool {
            (-90...90).contains(latitude) && (-180...180).contains(longitude) && timestamp.isFinite
                && altitude.isFinite && horizontalAccuracy.isFinite && verticalAccuracy.isFinite
                && course.isFinite && courseAccuracy.isFinite && speed.isFinite && speedAccuracy.isFinite
        }
    }

    private(set) var points: [Point] = []
    /// The number of points without a place or time, which are not in ``points``.
    private(set) var dropped = 0
    /// The name of the track in the file.
    var name: String?
    /// The number of decimals in the file.
    var decimals = RouteDecimals()

    var count: Int { points.count }

    mutating func append(_ point: Point) throws(AuxiliaryFileError) {
        guard point.isValid else {
            dropped += 1
            return
        }
        guard points.count < Self.maximumCount else {
            throw AuxiliaryFileError("its file has more than \(Self.maximumCount) points")
        }
        points.append(point)
    }

    /// The indices of the points in order of time.
    var order: [Int] {
        points.indices.sorted { (points[$0].timestamp, $0) < (points[$1].timestamp, $1) }
    }

    /// The columns of a document, ordered by time; points with equal times keep their order.
    var series: [String: [Double]] {
        let isOrdered = zip(points, points.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp }
        let points = isOrdered ? self.points : order.map { self.points[$0] }
        return Dictionary(
            uniqueKeysWithValues: Column.allCases.map { column in
                let property = Point.property(column)
                return (column.rawValue, points.map { $0[keyPath: property] })
            })
    }

    /// Reads the points of a document; `nil` if its columns have different lengths.
    init?(_ series: [String: [Double]]) {
        let columns = Column.allCases.map { series[$0.rawValue] ?? [] }
        guard columns.allSatisfy({ $0.count == columns[0].count }) else { return nil }
        points = Array(repeating: Point(), count: columns[0].count)
        for (column, values) in zip(Column.allCases, columns) {
            let property = Point.property(column)
            for row in values.indices { points[row][keyPath: property] = values[row] }
        }
    }

    init() {}
}

extension RouteTrack.Point {
    /// The property of a point for a column.
    static func property(_ column: RouteDocument.Column) -> WritableKeyPath<Self, Double> {
        switch column {
        case .timestamps: \.timestamp
        case .latitudes: \.latitude
        case .longitudes: \.longitude
        case .altitudes: \.altitude
        case .horizontalAccuracies: \.horizontalAccuracy
        case .verticalAccuracies: \.verticalAccuracy
        case .courses: \.course
        case .courseAccuracies: \.courseAccuracy
        case .speeds: \.speed
        case .speedAccuracies: \.speedAccuracy
        }
    }
}
