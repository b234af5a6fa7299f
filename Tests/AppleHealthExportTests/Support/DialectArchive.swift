import AppleHealthExport
import Foundation
import Synchronization

/// Generated archives of every version of iOS, made once for all tests and only read by them.
final class DialectArchive: Sendable {
    /// One of each format, and each version in which something else changes.
    static let versions = ["8", "9", "11", "12", "13", "14", "15", "16", "16.1", "16.2", "16.4", "17", "18.1", "26"]

    let version: String
    let dialect: ArchiveDialect
    let zip: String
    let folder: String
    let xml: String
    /// What is in the zip file and in the folder.
    let contents: GeneratedArchive
    /// What is in the bare XML file.
    let plainContents: GeneratedArchive

    static func options(_ version: String) -> GeneratorOptions {
        var options = GeneratorOptions(
            records: 1_100, seed: 11, exportDate: try! Date("2025-11-06T12:00:00-05:00", strategy: .iso8601),
            timeZone: TimeZone(identifier: "America/New_York")!)
        options.dialect = ArchiveDialect(version)
        return options
    }

    private static let made = Mutex<[String: DialectArchive]>([:])
    private static let home: TemporaryHome = TemporaryHome()

    static func of(_ version: String) throws -> DialectArchive {
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
        zip = Self.home.path + "/\(version).zip"
        folder = Self.home.path + "/\(version)"
        xml = Self.home.path + "/\(version).xml"
        contents = try generator.make(atPath: zip)
        _ = try generator.make(atPath: folder)
        plainContents = try generator.make(atPath: xml)
    }

    /// What a reader of the XML file alone reports for want of the files beside it.
    var missingFiles: [String: Int] {
        let route = "HKWorkoutRouteTypeIdentifier"
        var missing = plainContents.contents.filter { $0.key.hasPrefix("HKClinicalType") || $0.key.hasPrefix("ClinicalRecord#") }
        if plainContents.contents[route] == nil { missing[route] = contents.contents[route] }
        let attachments = contents.files.filter { $0.hasPrefix("attachments/") }.count
        if attachments > 0 { missing["HKVisionPrescriptionTypeIdentifier"] = attachments }
        return missing
    }

    func text() throws -> String {
        try String(contentsOfFile: xml, encoding: .utf8)
    }

    func bytes() throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: xml)))
    }
}
