import Foundation

extension ArchiveGenerator {
    /// Writes `apple_health_export/export.xml` into a zip file, as the telephone does.
    func writeZip(_ url: URL) throws -> Int {
        let zip = try ZipWriter(path: url.path)
        try zip.beginEntry("apple_health_export/export.xml")
        let records = try writeXML { try zip.write($0) }
        try zip.finish()
        return records
    }
}
