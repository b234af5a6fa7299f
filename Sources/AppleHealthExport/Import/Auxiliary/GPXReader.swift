import Foundation
import HealthFiles
import HealthModel

/// Reads the points of a GPX file with the archive's tag scanner.
///
/// Of a `trkpt` it reads `lat`, `lon`, `ele`, `time` and, anywhere inside it, `speed`, `course`, `hAcc` and `vAcc`.
/// Other elements are skipped. The file is read in chunks; memory holds one chunk and the points.
struct GPXReader: ~Copyable {
    /// The maximum size of a file: 250 hours with one point per second.
    static let maximumFileSize = 1 << 27

    private var window: ScanWindow
    private var attributes = TagAttributes()
    private var track = RouteTrack()

    /// Reads the track of a file. Throws for a file that is not GPX, incomplete or too large.
    static func read(_ source: any ByteSource) throws(AuxiliaryFileError) -> RouteTrack {
        var reader = GPXReader(source)
        do {
            try reader.run()
        } catch {
            throw AuxiliaryFileError(error)
        }
        return reader.track
    }

    private init(_ source: any ByteSource) {
        window = ScanWindow(source: source, chunkSize: 1 << 17)
    }

    private mutating func run() throws {
        var isRoot = true
        while true {
            guard let tag = try next() else {
                throw AuxiliaryFileError(isRoot ? "its file is not a GPX file" : "its file is incomplete")
            }
            let name = tag.name
            switch tag.kind {
            case .aside:
                window.position = tag.end
            case .close:
                window.position = tag.end
                if isNamed(name, "gpx") { return }
            case .open, .empty:
                if isRoot, !isNamed(name, "gpx") { throw AuxiliaryFileError("its file is not a GPX file") }
                isRoot = false
                if isNamed(name, "trkpt") {
                    try read(tag) { try $0.readPoint($1) }
                } else if tag.kind == .open, track.name == nil, isNamed(name, "name") {
                    try read(tag) { $0.scanName($1) }
                } else {
                    window.position = tag.end
                }
            }
        }
    }

    /// The next tag, with ``ScanWindow/position`` at its `<`; `nil` at the end of the file.
    private mutating func next() throws -> ScannedTag? {
        while true {
            window.position = TagScanner.find(UInt8(ascii: "<"), window.base, from: window.position, end: window.count)
            if window.position < window.count {
                switch TagScanner.scan(window.base, at: window.position, end: window.count, into: &attributes) {
                case .tag(let tag): return tag
                case .malformed: throw Self.malformed
                case .needsMore: break
                }
            }
            if try !window.refill() { return nil }
        }
    }

    /// Reads an element, at whose end the window's position is then. If the window ends within it, refills the window and
    /// starts the element again.
    ///
    /// - Parameter body: Returns the end; `nil` if the window ends before.
    private mutating func read(
        _ first: ScannedTag, _ body: (inout GPXReader, ScannedTag) throws -> Int?
    ) throws {
        var tag = first
        while true {
            if let end = try body(&self, tag) { return window.position = end }
            guard try window.refill(), let again = try next() else {
                throw AuxiliaryFileError("its file is incomplete")
            }
            tag = again
        }
    }

    private mutating func scanName(_ tag: ScannedTag) -> Int? {
        let end = TagScanner.find(UInt8(ascii: "<"), window.base, from: tag.end, end: window.count)
        guard end < window.count else { return nil }
        track.name = AttributeText.decode(ByteRange(start: tag.end, end: end).bytes(in: window.base))
        return end
    }

    private mutating func readPoint(_ tag: ScannedTag) throws -> Int? {
        guard let (point, end) = try scanPoint(tag) else { return nil }
        try track.append(point)
        return end
    }

    /// The point whose tag is at the window's position, and its end; `nil` if the window ends within it.
    private mutating func scanPoint(_ tag: ScannedTag) throws -> (RouteTrack.Point, end: Int)? {
        let (base, end) = (UnsafePointer(window.base), window.count)
        var point = RouteTrack.Point()
        for index in 0..<attributes.count {
            let attribute = attributes[index]
            if isNamed(attribute.name, "lat") {
                point.latitude = number(attribute.value, .latitude)
            } else if isNamed(attribute.name, "lon") {
                point.longitude = number(attribute.value, .longitude)
            }
        }
        if tag.kind == .empty { return (point, tag.end) }
        var position = tag.end
        while true {
            let next = TagScanner.find(UInt8(ascii: "<"), base, from: position, end: end)
            guard next < end else { return nil }
            switch TagScanner.scan(base, at: next, end: end, into: &attributes) {
            case .needsMore:
                return nil
            case .malformed:
                throw Self.malformed
            case .tag(let child):
                position = child.end
                switch child.kind {
                case .close where isNamed(child.name, "trkpt"):
                    return (point, child.end)
                case .open:
                    guard !isNamed(child.name, "trkpt"), !isNamed(child.name, "gpx") else { throw Self.malformed }
                    let close = TagScanner.find(UInt8(ascii: "<"), base, from: position, end: end)
                    guard close < end else { return nil }
                    read(ByteRange(start: position, end: close), of: child.name, into: &point)
                    position = close
                case .close, .empty, .aside:
                    break
                }
            }
        }
    }

    /// Reads the text of an element inside a point.
    private mutating func read(_ text: ByteRange, of name: ByteRange, into point: inout RouteTrack.Point) {
        if isNamed(name, "ele") {
            point.altitude = number(text, .altitude)
        } else if isNamed(name, "time") {
            point.timestamp = ArchiveDate.parse(trimmed(text).bytes(in: window.base)) ?? .nan
        } else if isNamed(name, "speed") {
            point.speed = number(text, .speed)
        } else if isNamed(name, "course") {
            point.course = number(text, .course)
        } else if isNamed(name, "hAcc") {
            point.horizontalAccuracy = number(text, .horizontalAccuracy)
        } else if isNamed(name, "vAcc") {
            point.verticalAccuracy = number(text, .verticalAccuracy)
        } else if isNamed(name, GPXWriter.courseAccuracy) {
            point.courseAccuracy = number(text, nil)
        } else if isNamed(name, GPXWriter.speedAccuracy) {
            point.speedAccuracy = number(text, nil)
        }
    }

    /// The number; NaN for text that is not a finite number.
    private mutating func number(_ range: ByteRange, _ kind: RouteDecimals.Number?) -> Double {
        let text = trimmed(range).bytes(in: window.base)
        guard let number = DecimalText.parse(text), number.isFinite else { return .nan }
        if let kind { track.decimals.record(text, of: kind) }
        return number
    }

    private func trimmed(_ range: ByteRange) -> ByteRange {
        var range = range
        while range.start < range.end, TagScanner.isBlank(window.base[range.start]) { range.start += 1 }
        while range.start < range.end, TagScanner.isBlank(window.base[range.end - 1]) { range.end -= 1 }
        return range
    }

    @inline(__always)
    private func isNamed(_ name: ByteRange, _ text: StaticString) -> Bool {
        name.count == text.utf8CodeUnitCount && memcmp(window.base + name.start, text.utf8Start, name.count) == 0
    }

    private static let malformed = AuxiliaryFileError("its file is malformed")
}

/// The number of decimals that a GPX file has for each kind of number, so that an export has the same digits.
///
/// Apple's files always have six. Files of other tools may have another number, or a varying one.
struct RouteDecimals: Equatable {
    /// The numbers of a point, in the order of a GPX file.
    enum Number: Int, CaseIterable {
        case longitude, latitude, altitude, speed, course, horizontalAccuracy, verticalAccuracy
    }

    /// The number of decimals in Apple's files.
    static let usual = 6
    private static let maximum = 17

    /// Counts by ``Number``: `nil` before the first one, -1 if they differ.
    private var counts = [Int?](repeating: nil, count: Number.allCases.count)

    /// Records the decimals of one number.
    mutating func record(_ text: UnsafeBufferPointer<UInt8>, of number: Number) {
        var decimals = 0
        var isPlain = true
        if let point = text.firstIndex(of: UInt8(ascii: ".")) { decimals = text.count - point - 1 }
        if decimals > Self.maximum || text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { isPlain = false }
        let seen = isPlain ? decimals : -1
        let known = counts[number.rawValue]
        counts[number.rawValue] = known == nil || known == seen ? seen : -1
    }

    /// The number of decimals to write; `nil` for as many as a number needs.
    func count(of number: Number) -> Int? {
        let count = counts[number.rawValue] ?? Self.usual
        return count < 0 ? nil : count
    }

    /// The counts separated by spaces, `-` for as many as needed; `nil` for Apple's format.
    var text: String? {
        let all = Number.allCases.map { count(of: $0) }
        if all.allSatisfy({ $0 == Self.usual }) { return nil }
        return all.map { $0.map(String.init) ?? "-" }.joined(separator: " ")
    }

    init() {}

    /// Reads what ``text`` returned; any other text gives Apple's format.
    init(text: String?) {
        guard let parts = text?.split(separator: " "), parts.count == counts.count else { return }
        let all = parts.map { $0 == "-" ? -1 : Int($0) ?? Self.usual }
        if all.allSatisfy({ (-1...Self.maximum).contains($0) }) { counts = all }
    }
}
