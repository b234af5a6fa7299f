/// Where somebody went during a workout: points that follow from the start and chance alone, so that a
/// route is told in a few numbers until it is written.
struct GeneratedRoute {
    /// Seconds since 2001, whole.
    var start: Int
    var end: Int
    var seed: UInt64
    /// Below the archive's folder, with a stroke before it.
    var path: String

    struct Point {
        /// Seconds since 2001.
        var second: Int
        /// Millionths of a degree.
        var latitude: Int
        var longitude: Int
        /// Thousandths of a metre.
        var altitude: Int
        /// Hundredths of a metre a second.
        var speed: Int
        /// Tenths of a degree; -10 where it is not known.
        var course: Int
        /// Tenths of a metre.
        var accuracy: Int
    }

    /// A point every few seconds, now and then two in one second, as telephones write them.
    var points: [Point] {
        var random = GeneratorRandom(seed: seed)
        var point = Point(
            second: start, latitude: 40_780_000 + random.integer(-9_000...9_000),
            longitude: -73_960_000 + random.integer(-9_000...9_000), altitude: random.integer(20_000...40_000), speed: 0,
            course: -10, accuracy: 42)
        var (north, east) = (random.integer(-60...60), random.integer(-60...60))
        var points: [Point] = []
        while point.second <= end {
            points.append(point)
            point.second += random.chance(30) ? 0 : random.integer(2...9)
            if random.chance(120) { (north, east) = (random.integer(-60...60), random.integer(-60...60)) }
            point.latitude += north + random.integer(-5...5)
            point.longitude += east + random.integer(-5...5)
            point.altitude += random.integer(-300...300)
            point.speed = random.integer(80...390)
            point.course = random.chance(40) ? -10 : random.integer(0...3_599)
            point.accuracy = random.integer(12...92)
        }
        return points
    }
}
