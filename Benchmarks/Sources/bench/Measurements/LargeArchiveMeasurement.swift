import Foundation

/// An import of a very large archive, compared with an expat pass over it and with the archive of a million
/// records: time should grow with the size of the archive, but memory should not.
///
/// The archive is generated for this and deleted afterwards. If the disk has no room for it, a note says so.
enum LargeArchiveMeasurement {
    /// The approximate size of a generated record in bytes.
    private static let bytesPerRecord = 415

    static func run(_ setting: Setting) throws -> Measurement {
        let needed = setting.largeArchive / 4 * 5
        let values = try setting.data.resourceValues(forKeys: [.volumeAvailableCapacityKey])
        if let free = values.volumeAvailableCapacity, free < needed {
            return Measurement(
                notes: [
                    "The archive of \(Figure.megabytes(setting.largeArchive)) was not measured: it needs \(Figure.megabytes(needed)) of free space."
                ])
        }
        let small = try Archives(in: setting).xml
        let large = setting.data.appendingPathComponent("large.xml")
        let zip = setting.data.appendingPathComponent("large.zip")
        defer {
            for file in [large, zip] { try? FileManager.default.removeItem(at: file) }
        }
        for file in [large, zip] {
            _ = try MeasuredProcess.run(
                setting.program("hk"),
                [
                    "generate", file.path, "--records", "\(setting.largeArchive / bytesPerRecord)", "--until",
                    "2025-11-16T12:00", "--time-zone", "America/New_York",
                ], in: setting)
        }
        let store = try setting.freshStore("large.store")
        defer { try? setting.removeStore(store) }

        var fromXML = Comparison()
        var fromZip = Comparison()
        var again = Comparison()
        var growth = Comparison()
        let scale = Double(try bytes(of: large)) / Double(try bytes(of: small))
        var peak = 0
        for _ in 0..<setting.pairs(2) {
            let pass = try MeasuredProcess.run(setting.program("expat-pass"), [large.path], in: setting)
            let ours = try importing(large, into: setting.freshStore("large.store"), setting)
            let repeated = try importing(large, into: store, setting)
            let zipped = try importing(zip, into: setting.freshStore("large.store"), setting)
            let smaller = try importing(small, into: setting.freshStore("large.store"), setting)
            fromXML.add(ours.cost, pass.cost)
            fromZip.add(zipped.cost, pass.cost)
            again.add(repeated.cost, ours.cost)
            growth.add(Cost(wall: ours.cost.wall / scale, processor: ours.cost.processor / scale), smaller.cost)
            peak = max(peak, ours.peakMemory, zipped.peakMemory, repeated.peakMemory)
        }
        let size = Figure.megabytes(try bytes(of: large))
        return Measurement(lines: [
            Line("import export.xml of \(size) : expat pass", fromXML, target: .atMost(0.75)),
            Line("import its zip : expat pass over the XML", fromZip, target: .atMost(1)),
            Line("import it again : first time", again, target: .atMost(0.5)),
            Line("time per byte : time per byte of the million-record archive", growth),
            Line(
                what: "peak memory of those imports", ours: Figure.megabytes(peak), figure: Double(peak) / 1e6,
                unit: "MB",
                target: .atMost(200)),
        ])
    }

    private static func importing(_ archive: URL, into store: URL, _ setting: Setting) throws -> MeasuredProcess {
        try MeasuredProcess.run(
            setting.program("hk"), ["import", archive.path, "--store", store.path, "--json"], in: setting)
    }

    private static func bytes(of file: URL) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    }
}
