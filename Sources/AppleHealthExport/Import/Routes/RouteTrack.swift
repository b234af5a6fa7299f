import HealthModel

/// The points of a route as they are read, column by column.
struct RouteTrack: Equatable {
    typealias Column = RouteDocument.Column

    /// More points than this are no walk: 139 hours of one a second.
    static let greatestCount = 500_000
    /// What a column holds where a file says nothing: not known.
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

        /// Whether it says where and when.
        var isPlace: Bool {
            (-90...90).contains(latitude) && (-180...180).contains(longitude) && timestamp.isFinite
                && altitude.isFinite && horizontalAccuracy.isFinite && verticalAccuracy.isFinite
                && course.isFinite && courseAccuracy.isFinite && speed.isFinite && speedAccuracy.isFinite
        }
    }

    private(set) var points: [Point] = []
    /// Points that do not say where or when; they are not among ``points``.
    private(set) var dropped = 0
    /// What the file calls the track.
    var name: String?
    /// How many decimals the file gives of its numbers.
    var decimals = RouteDecimals()

    var count: Int { points.count }

    mutating func append(_ point: Point) throws(CompanionError) {
        guard point.isPlace else {
            dropped += 1
            return
        }
        guard points.count < Self.greatestCount else {
            throw CompanionError("its file has more than \(Self.greatestCount) points")
        }
        points.append(point)
    }

    /// The numbers of the points, as they came, in the order of their times.
    var order: [Int] {
        points.indices.sorted { (points[$0].timestamp, $0) < (points[$1].timestamp, $1) }
    }

    /// The columns as a document holds them, ordered by time; points of one instant stay as they came.
    var series: [String: [Double]] {
        let isOrdered = zip(points, points.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp }
        let points = isOrdered ? self.points : order.map { self.points[$0] }
        return Dictionary(
            uniqueKeysWithValues: Column.allCases.map { column in
                let property = Point.property(column)
                return (column.rawValue, points.map { $0[keyPath: property] })
            })
    }

    /// The points of a stored document; `nil` for one whose columns do not fit together.
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
    /// Where a column's number stands in a point.
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
