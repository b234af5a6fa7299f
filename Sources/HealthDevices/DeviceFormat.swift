/// The formats of files of devices.
enum DeviceFormat: String, CaseIterable, Sendable {
    case fit = "FIT"
    case tcx = "TCX"
    case gpx = "GPX"

    /// The number of bytes by which a format is recognized.
    static let headLength = 4_096

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

    /// - Parameter recoversDamaged: Whether a file is read of which any figure may be wrong.
    func read(_ bytes: [UInt8], recoversDamaged: Bool) -> DeviceReading {
        switch self {
        case .fit: FITReader.read(bytes, recoversDamaged: recoversDamaged)
        case .tcx: TCXReader.read(bytes)
        case .gpx: GPXTrackReader.read(bytes)
        }
    }

    /// The name of the root element of an XML file, without its namespace's prefix. Strava's TCX files begin with spaces.
    private static func root(_ head: some Collection<UInt8>) -> Substring? {
        var rest = Substring(String(decoding: head.prefix(headLength), as: UTF8.self)).drop {
            $0.isWhitespace || $0 == "\u{FEFF}"
        }
        while rest.first == "<" {
            let end: Substring =
                rest.hasPrefix("<!--") ? "-->" : rest.hasPrefix("<?") || rest.hasPrefix("<!") ? ">" : ""
            if end.isEmpty {
                let name = rest.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
                return name.split(separator: ":").last
            }
            guard let range = rest.firstRange(of: end) else { return nil }
            rest = rest[range.upperBound...].drop(while: \.isWhitespace)
        }
        return nil
    }
}

/// What a file of a device holds, and what is wrong with it.
struct DeviceReading: Sendable {
    var content = DeviceContent()
    var damages: [DeviceDamage] = []
}

/// Something that is wrong at a place of a file.
struct DeviceDamage: Hashable, Sendable {
    /// The byte, from the beginning of the file.
    var offset: Int
    /// The line of a table instead, from 1.
    var line: Int?
    /// What is wrong, as the end of a sentence about the file.
    var reason: String
    /// Whether any figure of the file may be wrong.
    var isAnywhere = false
}
