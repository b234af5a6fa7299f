import ArchiveTestSupport
import Foundation
import HealthModel
import HealthTesting
import Testing

@testable import AppleHealthExport

/// Reading and writing GPX files.
@Suite struct GPXReaderTests {
    private func read(_ text: String, step: Int = .max) throws(AuxiliaryFileError) -> RouteTrack {
        try GPXReader.read(MemorySource(Array(text.utf8), step: step))
    }

    private func reason(_ text: String) -> String? {
        do throws(AuxiliaryFileError) {
            _ = try read(text)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func readsAppleFiles() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export"><metadata><time>2026-01-15T08:12:33Z</time></metadata>
              <trk><name>Route 2019-06-11 3:00pm</name><trkseg>
                  <trkpt lon="-9.139337" lat="38.722252"><ele>7.500000</ele><time>2019-06-11T13:00:00Z</time><extensions><speed>1.409571</speed><course>-1.000000</course><hAcc>4.749759</hAcc><vAcc>3.437340</vAcc></extensions></trkpt>
                  <trkpt lon="-9.139338" lat="38.722253"><ele>-0.25</ele><time>2019-06-11T13:00:00Z</time></trkpt>
            </trkseg></trk></gpx>
            """
        let track = try read(text)
        let start = ArchiveText.instant(2019, 6, 11, 13)
        #expect(track.name == "Route 2019-06-11 3:00pm" && track.count == 2 && track.dropped == 0)
        #expect(
            track.points[0]
                == RouteTrack.Point(
                    timestamp: start, latitude: 38.722252, longitude: -9.139337, altitude: 7.5,
                    horizontalAccuracy: 4.749759, verticalAccuracy: 3.43734, course: -1, courseAccuracy: -1,
                    speed: 1.409571, speedAccuracy: -1))
        #expect(
            track.points[1]
                == RouteTrack.Point(
                    timestamp: start, latitude: 38.722253, longitude: -9.139338, altitude: -0.25))
        #expect(track.decimals.text == "6 6 - 6 6 6 6")
    }

    @Test func readsFilesOfOtherTools() throws {
        let text = """
            <gpx xmlns="x">
             <!-- <trkpt lat="1" lon="1"/> -->
             <wpt lat="1" lon="2"><name>Home</name></wpt>
             <trk><trkseg>
              <trkpt  lat='51.5'
                lon='0.1'>
               <ele> 12 </ele>
               <time>2019-06-11T13:00:00.250+02:00</time>
               <extensions><x:TrackPointExtension><x:hr>99</x:hr><speed>2.5</speed></x:TrackPointExtension></extensions>
              </trkpt>
              <trkpt lat="51.6" lon="0.2"><time>2019-06-11T11:00:01Z</time><ele/></trkpt>
             </trkseg></trk>
            </gpx>
            """
        let track = try read(text)
        #expect(track.points.map(\.latitude) == [51.5, 51.6] && track.points.map(\.longitude) == [0.1, 0.2])
        #expect(
            track.points.map(\.timestamp) == [
                ArchiveText.instant(2019, 6, 11, 11) + 0.25, ArchiveText.instant(2019, 6, 11, 11, 0, 1),
            ])
        #expect(track.points[0].speed == 2.5 && track.points[0].altitude == 12)
    }

    @Test(arguments: [1, 7, 1_000, .max])
    func roundTrips(_ step: Int) throws {
        let text = AuxiliaryText.gpx(points: step == 1 ? 30 : 2_000)
        let track = try read(text, step: step)
        #expect(track.count == (step == 1 ? 30 : 2_000) && track.decimals.text == nil)
        let again = GPXWriter.bytes(track, name: track.name ?? "", exported: AuxiliaryText.exported)
        #expect(String(decoding: again, as: UTF8.self) == text)
    }

    @Test func keepsTheNumberOfDecimals() throws {
        let text = AuxiliaryText.gpx(points: 3)
            .replacingOccurrences(of: "<hAcc>[^<]*</hAcc>", with: "<hAcc>5</hAcc>", options: .regularExpression)
            .replacingOccurrences(of: "<vAcc>[^<]*</vAcc>", with: "<vAcc>2.50</vAcc>", options: .regularExpression)
        let track = try read(text)
        #expect(track.decimals.text == "6 6 6 6 6 0 2")
        var again = try #require(RouteTrack(track.series))
        again.decimals = RouteDecimals(text: track.decimals.text)
        #expect(
            String(
                decoding: GPXWriter.bytes(again, name: "Route 2024-03-01 11:00am", exported: AuxiliaryText.exported),
                as: UTF8.self) == text)
    }

    @Test func anyPointsAreReadBackExactly() throws {
        var random = SplitMix64(seed: 11)
        var track = RouteTrack()
        var time = 600_000_000.0
        for _ in 0..<500 {
            time += Double.random(in: 0...3, using: &random)
            // Points of applications: with any number of digits and with accuracies that Apple's files do not have.
            try track.append(
                RouteTrack.Point(
                    timestamp: time, latitude: Double.random(in: -90...90, using: &random),
                    longitude: Double.random(in: -180...180, using: &random),
                    altitude: [0, -0.0, 1e-7, 1e20, Double.random(in: -400...9_000, using: &random)].randomElement(
                        using: &random)!,
                    horizontalAccuracy: Double.random(in: 0...50, using: &random), verticalAccuracy: -1,
                    course: Double.random(in: 0...360, using: &random),
                    courseAccuracy: Double.random(in: 0...9, using: &random),
                    speed: Double.random(in: 0...9, using: &random), speedAccuracy: 0.5))
        }
        let again = try read(String(decoding: GPXWriter.bytes(track, name: "a & <b>", exported: 0), as: UTF8.self))
        #expect(again.points == track.points && again.name == "a & <b>")
        #expect(again.points.map(\.altitude.bitPattern) == track.points.map(\.altitude.bitPattern))
    }

    @Test func ordersPointsByTime() throws {
        let point = { (second: Int, latitude: Int) in
            "<trkpt lat=\"\(latitude)\" lon=\"0\"><time>2019-06-11T13:00:0\(second)Z</time></trkpt>"
        }
        let track = try read("<gpx>\(point(2, 1))\(point(1, 2))\(point(2, 3))\(point(0, 4))</gpx>")
        #expect(track.series["latitudes"] == [4, 2, 1, 3])
    }

    @Test(arguments: [
        "<trkpt lat=\"1\" lon=\"2\"/>", "<trkpt lat=\"1\"><time>2019-06-11T13:00:00Z</time></trkpt>",
        "<trkpt lat=\"91\" lon=\"2\"><time>2019-06-11T13:00:00Z</time></trkpt>",
        "<trkpt lat=\"1\" lon=\"-181\"><time>2019-06-11T13:00:00Z</time></trkpt>",
        "<trkpt lat=\"nan\" lon=\"1\"><time>2019-06-11T13:00:00Z</time></trkpt>",
        "<trkpt lat=\"1\" lon=\"1\"><time>yesterday</time></trkpt>",
        "<trkpt lat=\"1\" lon=\"1\"><ele>inf</ele><time>2019-06-11T13:00:00Z</time></trkpt>",
    ])
    func dropsPointsWithInvalidCoordinates(_ point: String) throws {
        let track = try read("<gpx>\(point)</gpx>")
        #expect(track.count == 0 && track.dropped == 1)
    }

    @Test(arguments: [
        ("", "its file is not a GPX file"), ("PK", "its file is not a GPX file"),
        ("<html><gpx/></html>", "its file is not a GPX file"),
        ("<gpx>", "its file is incomplete"), ("<gpx><trkpt lat=\"1\" lon=\"2\">", "its file is incomplete"),
        ("<gpx><trkpt lat=\"1\" lon=\"2\"><ele>1", "its file is incomplete"),
        ("<gpx><name>x", "its file is incomplete"),
        ("<gpx><trkpt lat=1></gpx>", "its file is malformed"),
        ("<gpx><trkpt lat=\"1\" lon=\"2\"><trkpt lat=\"1\" lon=\"2\"></trkpt></gpx>", "its file is malformed"),
    ])
    func reportsErrors(_ text: String, _ expected: String) {
        #expect(reason(text) == expected)
    }

    @Test func limitsThePoints() throws {
        let point = "<trkpt lat=\"1\" lon=\"1\"><time>2019-06-11T13:00:00Z</time></trkpt>"
        let text = "<gpx>" + String(repeating: point, count: RouteTrack.maximumCount + 1) + "</gpx>"
        #expect(reason(text) == "its file has more than 500000 points")
    }

    @Test func mutatedFilesNeverTrap() {
        let original = Array(AuxiliaryText.gpx(points: 12).utf8)
        var count = 0
        for seed in 0..<3_000 {
            var random = SplitMix64(seed: UInt64(seed))
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
                case 2: bytes.insert(Array("<>\"'/=.e-".utf8).randomElement(using: &random)!, at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [60] }
            }
            let step = [1, 13, 4_096].randomElement(using: &random)!
            guard let track = try? GPXReader.read(MemorySource(bytes, step: step)) else { continue }
            #expect(track.points.allSatisfy { $0.isValid }, "seed \(seed)")
            // The result can be written and read again.
            let again = try? GPXReader.read(MemorySource(GPXWriter.bytes(track, name: track.name ?? "", exported: 0)))
            #expect(again?.points.map(\.latitude.bitPattern) == track.points.map(\.latitude.bitPattern), "seed \(seed)")
            count += track.points.count
        }
        #expect(count > 0)
    }
}
