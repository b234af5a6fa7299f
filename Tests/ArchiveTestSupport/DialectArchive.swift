package import AppleHealthGenerator
import Foundation
import Synchronization

/// A generated archive of one version of iOS, made once for all tests, which only read it.
package final class DialectArchive: Sendable {
    /// One version for each format, and each version with other changes.
    package static let versions = [
        "8.0", "8", "9", "11", "12", "13", "14", "15", "16", "16.1", "16.2", "16.4", "17", "18.1", "26",
    ]

    /// The versions whose archives have metadata.
    package static let versionsWithMetadata = versions.filter { $0 != "8.0" }

    package let version: String
    package let dialect: ArchiveDialect
    package let zip: String
    package let folder: String
    package let xml: String
    /// The contents of the zip file and the folder.
    package let contents: GeneratedArchive
    /// The contents of the bare XML file.
    package let plainContents: GeneratedArchive

    package static func options(_ version: String) -> GeneratorOptions {
        var options = GeneratorOptions(
            records: 1_100, seed: 11, exportDate: try! Date("2025-11-06T12:00:00-05:00", strategy: .iso8601),
            timeZone: TimeZone(identifier: "America/New_York")!)
        options.dialect = ArchiveDialect(version)
        return options
    }

    private static let made = Mutex<[String: DialectArchive]>([:])

    package static func of(_ version: String) throws -> DialectArchive {
        try made.withLock { made in
            if let archive = made[version] { return archive }
            let archive = try DialectArchive(version)
            made[version] = archive
            return archive
        }
    }

    private init(_ version: String) throws {
        self.version = version
        let options = Self.options(version)
        dialect = options.dialect!
        let generator = ArchiveGenerator(options: options)
        zip = TemporaryHome.path + "/\(version).zip"
        folder = TemporaryHome.path + "/\(version)"
        xml = TemporaryHome.path + "/\(version).xml"
        contents = try generator.make(atPath: zip)
        _ = try generator.make(atPath: folder)
        plainContents = try generator.make(atPath: xml)
    }

    /// The files that a reader of the XML file alone reports as missing.
    package var missingFiles: [String: Int] {
        let route = "HKWorkoutRouteTypeIdentifier"
        var missing = plainContents.contents.filter {
            $0.key.hasPrefix("HKClinicalType") || $0.key.hasPrefix("ClinicalRecord#")
        }
        if plainContents.contents[route] == nil { missing[route] = contents.contents[route] }
        let attachments = contents.files.filter { $0.hasPrefix("attachments/") }.count
        if attachments > 0 { missing["HKVisionPrescriptionTypeIdentifier"] = attachments }
        return missing
    }

    package func text() throws -> String {
        try String(contentsOfFile: xml, encoding: .utf8)
    }

    package func bytes() throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: xml)))
    }
}

/// A folder shared by all tests of a run, removed when the run ends.
package enum TemporaryHome {
    /// The path of the folder.
    package static let path: String = {
        try? FileManager.default.createDirectory(atPath: location, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: TemporaryHome.location) }
        return location
    }()

    private static var location: String {
        NSTemporaryDirectory() + "dialect-archives-\(ProcessInfo.processInfo.processIdentifier)"
    }
}
