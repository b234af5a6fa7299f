import Foundation
import HealthFiles
import HealthFormats
import HealthModel
import HealthStorageFiles

/// The format of a file of a device.
enum ActivityFormat: String, CaseIterable, Sendable {
    case fit = "FIT"
    case tcx = "TCX"
    case gpx = "GPX"

    /// The number of bytes in which an export has its mark.
    private static let markLength = 512

    /// The format of a file that begins with these bytes, if it is one of them.
    init?(head: some Collection<UInt8>) {
        if FITFile.matches(head) {
            self = .fit
            return
        }
        switch Self.root(head) {
        case "gpx": self = .gpx
        case "TrainingCenterDatabase": self = .tcx
        default: return nil
        }
    }

    /// - Parameters:
    ///   - recoversDamaged: Whether a file is read of which any figure may be wrong.
    ///   - clock: The clock of the person's time zone.
    ///   - options: The activity and the time of tracks whose file doesn't say them.
    func read(
        _ bytes: [UInt8], recoversDamaged: Bool, clock: LocalClock = LocalClock(timeZone: .current),
        options: ImportOptions = ImportOptions()
    ) -> FileContent {
        var reading =
            switch self {
            case .fit: FITReader.read(bytes, recoversDamaged: recoversDamaged, clock: clock)
            case .tcx: TCXReader.read(Self.utf8(bytes), options: options)
            case .gpx: GPXTrackReader.read(Self.utf8(bytes), options: options)
            }
        let beginning = String(decoding: bytes.prefix(Self.markLength), as: UTF8.self)
        reading.isExport = beginning.contains(ExportMarker.comment)
        return reading
    }

    /// The name of the root element of an XML file, without its namespace's prefix. Strava's TCX files begin with spaces.
    private static func root(_ head: some Collection<UInt8>) -> Substring? {
        var rest = Substring(String(decoding: utf8(Array(head.prefix(CandidateFile.headLength))), as: UTF8.self)).drop {
            $0.isWhitespace || $0 == "\u{FEFF}"
        }
        while rest.first == "<" {
            let end: Substring =
                rest.hasPrefix("<!--")
                ? "-->"
                : rest.hasPrefix("<!") && rest.prefix { $0 != ">" }.contains("[")
                    ? "]>" : rest.hasPrefix("<?") || rest.hasPrefix("<!") ? ">" : ""
            if end.isEmpty {
                let name = rest.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
                return name.split(separator: ":").last
            }
            guard let range = rest.firstRange(of: end) else { return nil }
            rest = rest[range.upperBound...].drop(while: \.isWhitespace)
        }
        return nil
    }

    /// A text in UTF-8, also of one in UTF-16, which begins with a mark of its byte order.
    private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        guard var wide = UTF16Transcoder(bytes) else { return bytes }
        return wide.text(Array(bytes.dropFirst(2)))
    }
}
