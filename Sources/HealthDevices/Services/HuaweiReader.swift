import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// Reads the workouts and the main documents of the copy of a Huawei Health account.
final class HuaweiReader: TableService {
    func recognize(_ file: CandidateFile) -> Recognition? {
        guard file.hasEnding(".json") || file.isAlone else { return nil }
        if file.text.contains("HW_EXT_TRACK_DETAIL@is") || file.lastName.hasPrefix("motion path detail data") {
            return .readsRecordings(type: "JSON") { try $1(Self.read($0.contents(of: file.file))) }
        }
        if let table = recognizeTable(file) { return table }
        guard file.plainName.contains("& description/") else { return nil }
        return .leftOut(
            "is one of Huawei’s other documents. Only workouts, health details and sport by the minute are imported")
    }

    private static let origin = SampleOrigin(
        "huawei.export", "Huawei Health", device: DeviceRecord(name: "Huawei", manufacturer: "Huawei"))

    /// - Throws: ``FileReadingError``.
    static func read(_ bytes: [UInt8]) throws -> FileContent {
        var content = FileContent()
        do {
            try withoutPartTimes(bytes).withUnsafeBufferPointer { bytes in
                try JSONReader.scan(bytes, isLenient: true) { json in
                    try json.array { json, _ in
                        let value = try json.value()
                        // Files before July 2020 have a list for each day.
                        for entry in value["motionPathData"]?.elements ?? [value] { add(entry, to: &content) }
                    }
                }
            }
        } catch is JSONSyntaxError {
            throw FileReadingError("it isn’t a list of Huawei’s workouts in JSON")
        }
        return content
    }

    private static func add(_ entry: JSONValue, to content: inout FileContent) {
        guard let track = track(entry) else { return content.leaveOut("workout without times") }
        for workout in TrackWorkout.workouts([track], origin, brand: "Huawei") { workout.add(to: &content) }
    }

    /// Removes objects whose names lack quotation marks.
    private static func withoutPartTimes(_ bytes: [UInt8]) -> [UInt8] {
        let name = Array("\"partTimeMap\":{".utf8)
        var (rest, result) = (bytes[...], [UInt8]())
        while let range = rest.firstRange(of: name),
            let end = rest[range.upperBound...].firstIndex(of: UInt8(ascii: "}"))
        {
            result += rest[..<range.upperBound]
            rest = rest[end...]
        }
        return result + rest
    }

    private static func track(_ entry: JSONValue) -> RecordedTrack? {
        let epoch = Date.timeIntervalBetween1970AndReferenceDate
        let parts = (entry["attribute"]?.text ?? entry["detailData"]?.text ?? "")
            .split(separator: "&&HW_EXT_TRACK_SIMPLIFY@is", maxSplits: 1)
        let totals = JSONValue(Array((parts.count > 1 ? parts[1] : "").utf8))
        func number(_ name: String) -> Double? {
            entry[name]?.number ?? entry["summaryData"]?[name]?.number
        }
        guard let start = number("startTime"), (1..<1e13).contains(start), let length = number("totalTime"),
            (1..<1e9).contains(length)
        else { return nil }
        let sport = number("sportType").flatMap { Int(exactly: $0) }.flatMap { activities[$0] }
        var track = SportNames.track(called: sport ?? "")
        func figure(_ name: String, by divisor: Double = 1) -> Double? {
            (totals?[name]?.number ?? number(name)).flatMap { $0 > 0 && $0 < 1e9 ? $0 / divisor : nil }
        }
        track.laps = [
            RecordedTrack.Lap(
                start: start / 1_000 - epoch, duration: length / 1_000, distance: figure("totalDistance"),
                calories: figure("totalCalories", by: 1_000))
        ]
        let offset = Double(entry["timeZone"]?.text.flatMap(TimeZoneParser.offset) ?? 0)
        let day = ((start / 1_000 + offset) / 86_400).rounded(.down) * 86_400 - offset
        let (points, pauses) = points(parts.first ?? "", day)
        for var point in points {
            point.stretch = pauses.partitionPoint { $0 < point.date }
            track.append(point)
        }
        track.finish()
        return track
    }

    /// Reads the lines of a track, and when it was paused: a kind, a time in seconds or milliseconds, and values.
    ///
    /// - Parameter day: The beginning of the day, in seconds since 1970, from which small times count.
    private static func points(_ text: Substring, _ day: Double) -> ([RecordedTrack.Point], pauses: [Double]) {
        var (points, pauses): ([RecordedTrack.Point], [Double]) = ([], [])
        for line in text.split(whereSeparator: \.isNewline) {
            let pairs = line.split(separator: ";").map { $0.split(separator: "=", maxSplits: 1) }.filter {
                $0.count == 2
            }
            let fields = Dictionary(pairs.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
            // The first line follows the name of the attribute.
            let kind = pairs.first.map { $0[1] } ?? ""
            func number(_ name: Substring) -> Double? {
                fields[name].flatMap { Double($0) }.flatMap { abs($0) < 1e6 ? $0 : nil }
            }
            // A pause is written as this place, mostly without a time.
            if kind == "lbs", number("lat") == 90, number("lon") == -80 {
                if let last = points.last { pauses.append(last.date) }
                continue
            }
            // The key of a place is its number.
            guard let time = (fields["t"] ?? (kind == "lbs" ? nil : fields["k"])).flatMap({ Double($0) }),
                (1..<604_800).contains(time) || (1e8..<1e13).contains(time)
            else { continue }
            let seconds = time > 1e11 ? time / 1_000 : time < 604_800 ? day + time : time
            var point = RecordedTrack.Point(date: seconds - Date.timeIntervalBetween1970AndReferenceDate)
            switch kind {
            case "lbs": (point.latitude, point.longitude) = (number("lat"), number("lon"))
            case "h-r": point.heartRate = number("v").flatMap { (1..<255).contains($0) ? $0 : nil }
            case "alti", "alt": point.altitude = number("v")
            default: continue
            }
            points.append(point)
        }
        return (points, pauses.sorted())
    }
}
