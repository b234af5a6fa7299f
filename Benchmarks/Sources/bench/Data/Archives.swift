import Foundation

/// The generated archives that are imported, kept between runs because the same options produce the same bytes.
struct Archives {
    let xml: URL
    let zip: URL

    /// Generates archives that are missing or older than the generator.
    init(in setting: Setting, records: Int = Setting.records, name: String = "million") throws {
        xml = setting.data.appendingPathComponent("\(name).xml")
        zip = setting.data.appendingPathComponent("\(name).zip")
        for archive in [xml, zip] where try !Self.isCurrent(archive, setting) {
            try? FileManager.default.removeItem(at: archive)
            let partial = archive.deletingPathExtension().appendingPathExtension("part." + archive.pathExtension)
            _ = try MeasuredProcess.run(
                setting.program("hk"),
                [
                    "generate", partial.path, "--records", "\(records)", "--until", "2025-11-16T12:00",
                    "--time-zone", "America/New_York",
                ], in: setting)
            try FileManager.default.moveItem(at: partial, to: archive)
        }
    }

    /// Returns whether the archive is newer than the program that generates it.
    private static func isCurrent(_ archive: URL, _ setting: Setting) throws -> Bool {
        func date(_ file: URL) throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
        }
        guard FileManager.default.fileExists(atPath: archive.path), let made = try date(archive),
            let program = try date(setting.program("hk"))
        else { return false }
        return made > program
    }
}
