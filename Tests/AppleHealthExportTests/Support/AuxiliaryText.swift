import Foundation

@testable import AppleHealthExport
import HealthTesting

/// Synthetic auxiliary files.
enum AuxiliaryText {
    /// A GPX file in Apple's layout, with a point per second from 2024-03-01 09:00:00 UTC.
    static func gpx(points: Int, seed: UInt64 = 1, name: String = "Route 2024-03-01 11:00am") -> String {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Double>) -> String {
            String(format: "%.6f", Double.random(in: range, using: &random))
        }
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
              <metadata>
                <time>2026-01-15T08:12:33Z</time>
              </metadata>
              <trk>
                <name>\(name)</name>
                <trkseg>

            """
        for index in 0..<points {
            let second = index % 60
            let minute = index / 60 % 60
            let time = "2024-03-01T\(pad(9 + index / 3_600)):\(pad(minute)):\(pad(second))Z"
            text +=
                "      <trkpt lon=\"\(number(-12...12))\" lat=\"\(number(40...60))\"><ele>\(number(-5...900))</ele><time>\(time)</time><extensions><speed>\(number(0...6))</speed><course>\(index == 0 ? "-1.000000" : number(0...360))</course><hAcc>\(number(1...20))</hAcc><vAcc>\(number(1...20))</vAcc></extensions></trkpt>\n"
        }
        return text + "    </trkseg>\n  </trk>\n</gpx>\n"
    }

    /// The export date of ``gpx(points:seed:name:)``.
    static let exported = ArchiveText.instant(2026, 1, 15, 8, 12, 33)

    /// An electrocardiogram's file in Apple's layout.
    static func electrocardiogram(
        values: Int = 1_000, seed: UInt64 = 2, date: String = "2023-03-04 20:55:07 -0500",
        classification: String = "Sinus Rhythm", rate: String = "512 hertz"
    ) -> String {
        """
        Name,
        Date of Birth,"Jun 12, 1980"
        Recorded Date,\(date)
        Classification,\(classification)
        Symptoms,
        Software Version,1.90
        Device,"Watch6,7"
        Sample Rate,\(rate)


        Lead,Lead I
        Unit,µV


        """ + voltages(values, seed: seed)
    }

    /// Voltages, one per line, in a localized format.
    static func voltages(
        _ count: Int, seed: UInt64, point: String = ".", minus: String = "-", lineEnd: String = "\n"
    ) -> String {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            let value = Int.random(in: -900_000...900_000, using: &random)
            let magnitude = value.magnitude
            let digits = String(magnitude % 1_000 + 1_000).dropFirst()
            return "\(value < 0 ? minus : "")\(magnitude / 1_000)\(point)\(digits)\(lineEnd)"
        }.joined()
    }

    /// A list of beats in Apple's layout.
    static func beats(_ beats: [(bpm: String, time: String)]) -> String {
        "<HeartRateVariabilityMetadataList>\n"
            + beats.map { "   <InstantaneousBeatsPerMinute bpm=\"\($0.bpm)\" time=\"\($0.time)\"/>\n" }.joined()
            + "  </HeartRateVariabilityMetadataList>"
    }

    /// A workout with routes, from 10:00 to 11:00 in Berlin.
    static func workout(routes: [String], minutes: Int = 60) -> String {
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"\(minutes)\" durationUnit=\"min\" sourceName=\"Watch\" sourceVersion=\"10.2\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\">\n"
            + routes.map { "  \($0)\n" }.joined() + " </Workout>"
    }

    static func route(path: String, children: [String] = []) -> String {
        "<WorkoutRoute sourceName=\"Watch\" sourceVersion=\"10.2\" device=\"\(ArchiveText.device)\" creationDate=\"2024-03-01 11:00:05 +0100\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\">\n"
            + children.map { "   \($0)\n" }.joined() + "   <FileReference path=\"\(path)\"/>\n  </WorkoutRoute>"
    }

    private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
