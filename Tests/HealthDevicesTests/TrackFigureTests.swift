import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Figures of TCX and GPX files")
struct TrackFigureTests {
    /// 2024-05-01 10:00:00 UTC.
    private static let start = 736_250_400.0

    private func read(_ text: String) throws -> (workout: ObjectRecord, body: WorkoutBody, content: FileContent) {
        let bytes = Array(text.utf8)
        let content = try #require(ActivityFormat(head: bytes)).read(bytes, recoversDamaged: false)
        let workout = try #require(content.wholeObjects.first)
        guard case .workout(let body) = workout.body else { throw FileReadingError("no workout") }
        return (workout, body, content)
    }

    private func sum(_ type: MeasuredType, _ samples: [SampleRecord]) -> Double {
        samples.filter { $0.type == type.code }.reduce(0) { $0 + $1.value }
    }

    /// The distances of points every five seconds, in a lap of 131 seconds.
    private func lap(_ distances: [Double?], meters: Double?) -> String {
        let points = distances.enumerated().map { TrackReaderTests.point($0.offset * 5, $0.element) }
        return """
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Lap StartTime="2024-05-01T10:00:00Z">
            <TotalTimeSeconds>131</TotalTimeSeconds>\(meters.map { "<DistanceMeters>\($0)</DistanceMeters>" } ?? "")
            <Track>\(points.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """
    }

    @Test("A count of meters that continues from before the file begins with the first point that has one")
    func continued() throws {
        let counts = [nil, nil] + (0..<24).map { 42_013.9 + Double($0) * 12 }
        let lap = try read(lap(counts, meters: 299.03))
        #expect(lap.body.totalDistance == QuantityRecord(299.03, unit: "m"))
        #expect(abs(sum(.distanceOnFoot, lap.workout.members) - 276) < 1e-6)
        #expect(abs((try read(self.lap(counts, meters: nil)).body.totalDistance?.value ?? 0) - 276) < 1e-6)
        // One that begins at 0 with points that lack it.
        let whole = try read(self.lap([nil, nil] + (2..<26).map { Double($0) * 12 }, meters: nil))
        #expect(whole.body.totalDistance == QuantityRecord(300, unit: "m"))
    }

    @Test(
        "Of a ride, zeros of power count unless there is nothing else, and zeros of cadence don't", arguments: [0, 200])
    func coasting(watts: Int) throws {
        let points = (0..<10).map {
            """
            <trkpt lat="\(52 + Double($0) / 10_000)" lon="13.4"><time>2024-05-01T10:00:0\($0)Z</time><extensions>
            <power>\($0 < 4 ? 0 : watts)</power><cad>\($0 < 4 ? 0 : 90)</cad></extensions></trkpt>
            """
        }
        let file = "<gpx><trk><type>cycling</type><trkseg>\(points.joined())</trkseg></trk></gpx>"
        let members = try read(file).workout.members
        func values(_ type: MeasuredType) -> [Double] { members.filter { $0.type == type.code }.map(\.value) }
        #expect(values(.cyclingCadence) == Array(repeating: 90, count: 6))
        #expect(values(.cyclingPower).count == (watts > 0 ? 10 : 0) && sum(.cyclingPower, members) == Double(watts) * 6)
    }

    private func points(_ inner: String = "") -> String {
        (0..<10).map {
            "<trkpt lat=\"\(52 + Double($0) / 10_000)\" lon=\"13.4\"><time>2024-05-01T10:00:0\($0)Z</time>\(inner)</trkpt>"
        }.joined()
    }

    @Test(
        "Heart rates that a GPX file lists in its extensions, apart from the points, are those of its workout",
        arguments: [
            "<st:heartRate time=\"2024-05-01T10:00:03Z\" bpm=\"140\"/><st:heartRate time=\"2024-05-01T10:00:04Z\" bpm=\"142\"/>",
            "<hr time=\"2024-05-01T10:00:03Z\">140</hr><hr time=\"2024-05-01T10:00:04Z\">142</hr>",
            "<s><time>2024-05-01T10:00:03Z</time><hr>140</hr></s><s><hr>142</hr><time>2024-05-01T10:00:04Z</time></s>",
            "<heartRate><time>2024-05-01T10:00:03Z</time><value>140</value></heartRate>"
                + "<heartRate><value>142</value><date>2024-05-01T10:00:04Z</date></heartRate>",
        ], [true, false])
    func listed(_ list: String, isOfTrack: Bool) throws {
        let outside = "<hr time=\"2024-05-01T12:00:00Z\" bpm=\"90\"/><average><hr>150</hr></average>"
        let extensions = "<extensions><list>\(list)\(outside)</list></extensions>"
        let (before, after) = isOfTrack ? (extensions, "") : ("", extensions)
        let file = try read("<gpx><trk><type>running</type>\(before)<trkseg>\(points())</trkseg></trk>\(after)</gpx>")
        let rates = file.workout.members.filter { $0.type == MeasuredType.heartRate.code }
        #expect(rates.map(\.value) == [140, 142] && rates.map(\.start) == [Self.start + 3, Self.start + 4])
        #expect(file.workout.start == Self.start && file.workout.end == Self.start + 9)
        #expect(file.content.leftOut == ["heart rate outside of every track, left out": 1])
        guard case .document(let route) = try #require(file.content.parts.first).object.body else { return }
        #expect(route.series["latitudes"]?.count == 10)
    }

    @Test("Tracks of one name and several sports are one workout; of one sport, or without a name, each is one")
    func names() throws {
        func track(_ name: String, _ type: String) -> String {
            "<trk><name>\(name)</name><type>\(type)</type><trkseg>\(points())</trkseg></trk>"
        }
        func count(_ tracks: String...) throws -> Int {
            try read("<gpx>\(tracks.joined())</gpx>").content.objects.count
        }
        #expect(try count(track("Race", "swimming"), track("Race", "cycling")) == 1)
        #expect(try count(track("Race", "running"), track("Race", "running")) == 2)
        #expect(try count(track("Swim", "swimming"), track("Ride", "cycling")) == 2)
    }
}
