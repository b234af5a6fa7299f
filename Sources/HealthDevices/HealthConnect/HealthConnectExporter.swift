import Foundation
package import HealthEngine
import HealthFiles
package import HealthFormats
import HealthModel

/// Exports a store as the zip file that Android's Health Connect imports: what ``HealthConnectFiles`` reads.
///
/// What Health Connect has no record for is left out and counted.
package struct HealthConnectExporter {
    private let options: FormatOptions

    /// Creates an exporter.
    package init(_ options: FormatOptions) {
        self.options = options
    }

    /// Writes the file, atomically.
    ///
    /// - Throws: `FormatError` if the target can't be written, and storage errors.
    package func export(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        try options.write(to: path, as: .file) { target in
            // In the folder of the unfinished export, which is removed with everything in it.
            let file = target + ".database"
            // Of activity and sleep, by Health Connect's numbers.
            let types: [Int64: TypeCode] = [
                1: MeasuredType.steps.code, 5: MeasuredType.code(HealthConnectTable.sleep),
            ]
            let orders = try types.mapValues {
                try engine.sources.order(of: $0, as: caller).map(\.source.bundleIdentifier)
            }
            var report = try engine.withReader(as: caller) { reading in
                var writer = try HealthConnectWriter(
                    reading, options, HealthConnectDatabase(path: file), orders: orders)
                return try writer.write()
            }
            do {
                try Self.pack(file, into: target)
            } catch is ZipError {
                throw TargetError.writing(target, errno: errno)
            }
            try FileManager.default.removeItem(atPath: file)
            report.files = 1
            return report
        }
    }

    /// The name for which Android looks in the zip file.
    static let entryName = "health_connect_export.db"

    private static func pack(_ file: String, into target: String) throws {
        var options = ZipWriter.Options()
        options.comment = ExportMarker.comment
        let zip = try ZipWriter(path: target, options: options)
        try zip.beginEntry(entryName)
        let bytes = try FileByteSource(path: file)
        while case let part = try bytes.bytes(1 << 18), !part.isEmpty { try zip.write(part) }
        try zip.finish()
    }
}
