import Foundation

/// One import of a folder with everything that a person has (Apple's archive, the tables of three services, the files of
/// two devices), compared with an import of each of them in turn, as whole processes.
enum FolderMeasurement {
    private struct Answer: Decodable {
        var added: Int
        var notRead: Int
    }

    /// The rows of each table and the points of each recording, a minute or a second apart.
    private static let count = 20_000

    static func run(_ setting: Setting) throws -> Measurement {
        let folder = setting.data.appendingPathComponent("folder")
        defer { try? FileManager.default.removeItem(at: folder) }
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var files = [folder.appendingPathComponent("export.xml")]
        try FileManager.default.linkItem(at: try Archives(in: setting).xml, to: files[0])
        for (name, text) in tables + recordings {
            files.append(folder.appendingPathComponent(name))
            try Data(text.utf8).write(to: files[files.count - 1])
        }
        var comparison = Comparison()
        for round in 0...setting.pairs(5) {
            let whole = try importing([folder], setting)
            let parts = try importing(files, setting)
            guard whole.added == parts.added, whole.added > 5 * count, whole.notRead == 0 else {
                throw BenchError("The folder added \(whole.added) samples, its parts \(parts.added)")
            }
            // The first round only warms up the caches.
            if round > 0 { comparison.add(whole.cost, parts.cost) }
        }
        return Measurement(lines: [
            Line("import a folder of Apple’s archive, three services and two devices : each by itself", comparison)
        ])
    }

    /// Imports files into a new store, one after the other.
    private static func importing(
        _ files: [URL], _ setting: Setting
    ) throws -> (added: Int, notRead: Int, cost: Cost) {
        let store = try setting.freshStore("folder.store")
        defer { try? setting.removeStore(store) }
        return try files.reduce((0, 0, Cost(wall: 0, processor: 0))) { sum, file in
            let process = try MeasuredProcess.run(
                setting.program("hk"), ["import", file.path, "--store", store.path, "--json"], in: setting)
            let answer = try JSONDecoder().decode(Answer.self, from: Data(process.output.utf8))
            let cost = Cost(
                wall: sum.2.wall + process.cost.wall, processor: sum.2.processor + process.cost.processor)
            return (sum.0 + answer.added, sum.1 + answer.notRead, cost)
        }
    }

    private static func time(_ seconds: Int, _ separator: String = "T") -> String {
        let date = Date(timeIntervalSince1970: 1_600_000_000 + Double(seconds)).ISO8601Format()
        return String(date.prefix(10) + separator + date.dropFirst(11).prefix(8))
    }

    /// Heart rates of Withings, Oura and Zepp.
    private static var tables: [(name: String, text: String)] {
        func table(_ header: String, _ row: (Int) -> String) -> String {
            header + "\n" + (0..<count).map { row($0) + "\n" }.joined()
        }
        return [
            ("raw_tracker_hr.csv", table("start,duration,value") { "\(time($0 * 60))+00:00,[60],[\(60 + $0 % 40)]" }),
            ("heartrate.csv", table("timestamp;bpm;source") { "\(time($0 * 60 + 20))Z;\(60 + $0 % 40);awake" }),
            ("HEARTRATE_1.csv", table("time,heartRate") { "\(time($0 * 60 + 40, " "))+0000,\(60 + $0 % 40)" }),
        ]
    }

    /// A run of each of two devices, on different days.
    private static var recordings: [(name: String, text: String)] {
        [("Forerunner 245", 0), ("Edge 530", 10 * 86_400)].map { device, first in
            let points = (0..<count).map { second in
                """
                <Trackpoint><Time>\(time(first + second))Z</Time><DistanceMeters>\(3 * second)</DistanceMeters>\
                <HeartRateBpm><Value>\(100 + second % 60)</Value></HeartRateBpm></Trackpoint>
                """
            }
            return (
                "\(device).tcx",
                """
                <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>\(time(first))Z</Id>\
                <Lap StartTime="\(time(first))Z"><Track>\(points.joined())</Track></Lap>\
                <Creator><Name>\(device)</Name></Creator></Activity></Activities></TrainingCenterDatabase>
                """
            )
        }
    }
}
