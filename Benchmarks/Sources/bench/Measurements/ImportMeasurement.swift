import Foundation

/// A complete, committed import with the command-line tool, compared with parsing the same file with expat and
/// empty handlers, both as whole processes; and the size of the resulting store.
enum ImportMeasurement {
    private struct Answer: Decodable {
        var added: Int
        var alreadyThere: Int
    }

    static func run(_ setting: Setting) throws -> Measurement {
        let archives = try Archives(in: setting)
        let store = setting.data.appendingPathComponent("import.store")
        var fromXML = Comparison()
        var fromZip = Comparison()
        var again = Comparison()
        var readAgain = Comparison()
        var peaks: [Int] = []
        var zipPeaks: [Int] = []
        var expatPeaks: [Int] = []
        var bytesPerSample = 0.0
        var added = 0
        for round in 0...setting.pairs(7) {
            let ours = try importing(archives.xml, into: setting.freshStore("import.store"), setting)
            let pass = try MeasuredProcess.run(setting.program("expat-pass"), [archives.xml.path], in: setting)
            added = try decode(ours).added
            bytesPerSample = Double(try setting.size(of: store)) / Double(added)
            let repeated = try importing(archives.xml, into: store, setting)
            guard try decode(repeated).added == 0 else { throw BenchError("A second import added samples") }
            // A mirroring import doesn't recognize the archive by its bytes; it compares every sample.
            let mirrored = try importing(archives.xml, into: store, setting, ["--mirror"])
            guard try decode(mirrored).added == 0 else { throw BenchError("A mirroring import added samples") }
            let zipped = try importing(archives.zip, into: setting.freshStore("import.store"), setting)
            // The first round only warms up the caches.
            guard round > 0 else { continue }
            fromXML.add(ours.cost, pass.cost)
            again.add(repeated.cost, ours.cost)
            readAgain.add(mirrored.cost, ours.cost)
            fromZip.add(zipped.cost, pass.cost)
            peaks.append(ours.peakMemory)
            zipPeaks.append(zipped.peakMemory)
            expatPeaks.append(pass.peakMemory)
        }
        try setting.removeStore(store)
        return Measurement(
            lines: [
                Line("import export.xml : expat pass", fromXML, target: .atMost(0.75)),
                Line("import export.zip : expat pass over the XML", fromZip, target: .atMost(1)),
                Line("import the same export.xml again : first time", again, target: .atMost(0.5)),
                Line("import it again with --mirror, sample by sample : first time", readAgain),
                Line(
                    what: "peak memory of import export.xml : expat pass", ours: Figure.megabytes(peaks.max() ?? 0),
                    other: Figure.megabytes(expatPeaks.max() ?? 0), figure: Double(peaks.max() ?? 0) / 1e6, unit: "MB",
                    target: .atMost(200)),
                Line(
                    what: "peak memory of import export.zip", ours: Figure.megabytes(zipPeaks.max() ?? 0),
                    figure: Double(zipPeaks.max() ?? 0) / 1e6, unit: "MB", target: .atMost(200)),
                Line(
                    what: "store size after that import, per sample", ours: String(format: "%.2f B", bytesPerSample),
                    figure: bytesPerSample, unit: "B", target: .atMost(12)),
            ],
            notes: [
                "The archive contains \(added) samples, workouts and summaries in \(try megabytes(archives.xml)) of XML."
            ])
    }

    private static func importing(
        _ archive: URL, into store: URL, _ setting: Setting, _ more: [String] = []
    ) throws -> MeasuredProcess {
        try MeasuredProcess.run(
            setting.program("hk"), ["import", archive.path, "--store", store.path, "--json"] + more, in: setting)
    }

    private static func decode(_ process: MeasuredProcess) throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(process.output.utf8))
    }

    private static func megabytes(_ file: URL) throws -> String {
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        return Figure.megabytes(size)
    }
}
