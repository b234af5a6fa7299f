import Foundation

/// A complete, durable export with the command-line tool, compared with copying the result just as durably,
/// parsing it with expat, and compressing it with gzip; all as whole processes.
enum ExportMeasurement {
    private struct Answer: Decodable {
        var written: Int
        var xmlBytes: Int
    }

    static func run(_ setting: Setting) throws -> Measurement {
        let archives = try Archives(in: setting)
        let store = try setting.freshStore("export.store")
        _ = try MeasuredProcess.run(
            setting.program("hk"), ["import", archives.xml.path, "--store", store.path, "--quiet"], in: setting)
        let (xml, zip) = (
            setting.data.appendingPathComponent("export.xml"), setting.data.appendingPathComponent("export.zip")
        )
        let copy = setting.data.appendingPathComponent("export.copy")
        defer { for file in [xml, zip, copy] { try? FileManager.default.removeItem(at: file) } }
        var againstCopy = Comparison()
        var againstExpat = Comparison()
        var againstGzip = Comparison()
        var speeds: [Double] = []
        var peaks: [Int] = []
        for round in 0...setting.pairs(7) {
            let ours = try exporting(store, to: xml, setting)
            let copied = try MeasuredProcess.run(
                URL(fileURLWithPath: "/bin/dd"), ["if=\(xml.path)", "of=\(copy.path)", "bs=1M", "conv=fsync"],
                in: setting)
            let pass = try MeasuredProcess.run(setting.program("expat-pass"), [xml.path], in: setting)
            let zipped = try exporting(store, to: zip, setting)
            let packed = try MeasuredProcess.run(
                URL(fileURLWithPath: "/bin/sh"), ["-c", "gzip -4 < '\(xml.path)' > '\(copy.path)'"], in: setting)
            // The first round only warms up the caches.
            guard round > 0 else { continue }
            againstCopy.add(ours.cost, copied.cost)
            againstExpat.add(ours.cost, pass.cost)
            againstGzip.add(zipped.cost, packed.cost)
            let answer = try JSONDecoder().decode(Answer.self, from: Data(ours.output.utf8))
            speeds.append(Double(answer.xmlBytes) / ours.cost.wall / 1e6)
            peaks += [ours.peakMemory, zipped.peakMemory]
        }
        let tables = try tables(of: store, setting)
        try setting.removeStore(store)
        let speed = speeds.median
        let peak = Double(peaks.max() ?? 0)
        return Measurement(
            lines: [
                Line(
                    what: "export export.xml, durable", ours: String(format: "%.0f MB/s", speed), figure: speed,
                    unit: "MB/s",
                    target: .atLeast(150)),
                Line("export export.xml : copying it, durable", againstCopy),
                Line("export export.xml : expat pass", againstExpat),
                Line("export export.zip : gzip -4 of the XML", againstGzip),
                Line(
                    what: "peak memory of an export, XML or zip", ours: Figure.megabytes(peaks.max() ?? 0),
                    figure: peak / 1e6,
                    unit: "MB", target: .atMost(200)),
            ] + tables)
    }

    /// Exports the store as lines and as tables, and measures the speed.
    private static func tables(of store: URL, _ setting: Setting) throws -> [Line] {
        try ["ndjson", "csv"].map { format in
            // A folder of tables; a name with the extension .csv is one table.
            let target = setting.data.appendingPathComponent("export-\(format)")
            defer { try? FileManager.default.removeItem(at: target) }
            var speeds: [Double] = []
            for round in 0...setting.pairs(7) {
                let ours = try MeasuredProcess.run(
                    setting.program("hk"),
                    ["export", target.path, "--format", format, "--store", store.path, "--force", "--quiet"],
                    in: setting)
                // The first round only warms up the caches.
                if round > 0 { speeds.append(Double(try bytes(of: target)) / ours.cost.wall / 1e6) }
            }
            let speed = speeds.median
            return Line(
                what: "export as \(format), durable", ours: String(format: "%.0f MB/s", speed), figure: speed,
                unit: "MB/s", target: .atLeast(200))
        }
    }

    /// Returns the size of a file, or of the files of a folder.
    private static func bytes(of target: URL) throws -> Int {
        let manager = FileManager.default
        let files =
            (try? manager.contentsOfDirectory(atPath: target.path))?.map { target.path + "/" + $0 } ?? [target.path]
        return try files.reduce(0) { sum, file in
            sum + (try manager.attributesOfItem(atPath: file)[.size] as? Int ?? 0)
        }
    }

    private static func exporting(_ store: URL, to file: URL, _ setting: Setting) throws -> MeasuredProcess {
        try MeasuredProcess.run(
            setting.program("hk"), ["export", file.path, "--store", store.path, "--force", "--json"], in: setting)
    }
}
