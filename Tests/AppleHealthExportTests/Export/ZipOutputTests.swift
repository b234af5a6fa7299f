import ArchiveTestSupport
import Foundation
@testable import HealthFiles
import HealthModel
import HealthTesting
import Testing

@testable import AppleHealthExport

@Suite struct ZipOutputTests {
    private let folder: TemporaryFolder
    private let style = RecordStyle(dictionaries: StoreDictionaries(), offset: 0)
    private let date = Date(timeIntervalSinceReferenceDate: 790_000_000)

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Writes files from pieces.
    private func write(_ files: [(name: String, pieces: [[UInt8]])]) throws -> String {
        let path = folder.path + "/out.zip"
        let options = ExportOptions(exportDate: date, timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        let output = try ZipOutput(path: path, options: options)
        for file in files {
            try output.begin(file.name)
            for bytes in file.pieces {
                let piece = ExportPiece(style: style)
                piece.text.append(bytes)
                output.pack(piece)
                try output.append(piece)
            }
        }
        #expect(try output.finish() == FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        return path
    }

    @Test func independentPiecesFormOneStream() throws {
        var random = SplitMix64(seed: 2)
        let text = Array(String(repeating: "<Record type=\"HKQuantityTypeIdentifierStepCount\"/>\n", count: 9_000).utf8)
        let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let files: [(name: String, pieces: [[UInt8]])] = [
            ("export.xml", [text, [], noise, text, [1], text]), ("workout-routes/a.gpx", [[]]), ("empty", []),
            ("b/c", [noise]),
        ]
        let path = try write(files)
        let reader = try ZipReader(path: path)
        #expect(reader.entries.map(\.name) == files.map { "apple_health_export/" + $0.name })
        for (entry, file) in zip(reader.entries, files) {
            #expect(try reader.stream(of: entry).contents() == Array(file.pieces.joined()))
        }
        #expect(try ExternalTool.unzip.run(["-tq", path]).status == 0)
    }

    @Test func entriesHaveTheExportDate() throws {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: write([("export.xml", [[65]])]))))
        // 2026-01-13 13:26:40 in Berlin.
        #expect(bytes.littleEndian(10, as: UInt16.self) == 13 << 11 | 26 << 5 | 20)
        #expect(bytes.littleEndian(12, as: UInt16.self) == 46 << 9 | 1 << 5 | 13)
    }

    @Test func timesOutsideTheRangeAreClamped() throws {
        let zone = TimeZone.gmt
        #expect(ZipTime(Date(timeIntervalSince1970: 0), in: zone) == .earliest)
        let latest = ZipTime(Date(timeIntervalSince1970: 1e11), in: zone)
        #expect(latest == ZipTime(time: 23 << 11 | 59 << 5 | 29, date: 127 << 9 | 12 << 5 | 31))
    }
}
