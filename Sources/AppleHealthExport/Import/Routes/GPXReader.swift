import Foundation
import HealthModel

/// Reads the points of a GPX file, as Apple or others write it, with the scanner that reads the export.
///
/// Of a `trkpt` it takes `lat` and `lon`, `ele`, `time` and, wherever they stand inside it, `speed`,
/// `course`, `hAcc` and `vAcc`. Other elements are stepped over. The file is read in pieces; memory holds
/// one piece and the points. Any bytes either give points or throw.
struct GPXReader: ~Copyable {
    /// The largest file that is taken: 250 hours of a point a second.
    static let greatestFile = 1 << 27

    private var window: ScanWindow
    private var attributes = TagAttributes()
    private var track = RouteTrack()

    /// The track of a file. Throws for one that is no GPX, breaks off, or is too large.
    static func read(_ source: any ByteSource) throws(CompanionError) -> RouteTrack {
        var reader = GPXReader(source)
        do {
            try reader.run()
        } catch {
            throw CompanionError(error)
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
                throw CompanionError(isRoot ? "its file is no GPX file" : "its file breaks off")
            }
            let name = tag.name
            switch tag.kind {
            case .aside:
                window.position = tag.end
            case .close:
                window.position = tag.end
                if isNamed(name, "gpx") { return }
            case .open, .empty:
                if isRoot, !isNamed(name, "gpx") { throw CompanionError("its file is no GPX file") }
                isRoot = false
                if isNamed(name, "trkpt") {
                    try readPoint(tag)
                } else if tag.kind == .open, track.name == nil, isNamed(name, "name") {
                    try readName(tag)
                } else {
                    window.position = tag.end
                }
            }
        }
    }

    /// The next tag, with ``ScanWindow/position`` at its `<`; `nil` at the end of the file.
    private mutating func next() throws -> ScannedTag? {
        while true {
            window.position = TagScanner.find(
                UInt8(ascii: "<"), window.base, from: window.position, end: window.count)
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

    /// Reads a point and what is inside it. Where the window ends within, more is read and it begins anew.
    private mutating func readPoint(_ first: ScannedTag) throws {
        var tag = first
        while true {
            if let (point, end) = try scanPoint(tag) {
                try track.append(point)
                window.position = end
                return
            }
            guard try window.refill(), let again = try next() else { throw CompanionError("its file breaks off") }
            tag = again
        }
    }

    private mutating func readName(_ first: ScannedTag) throws {
        var tag = first
        while true {
            let end = TagScanner.find(UInt8(ascii: "<"), window.base, from: tag.end, end: window.count)
            if end < window.count {
                track.name = AttributeText.decode(ByteRange(start: tag.end, end: end).bytes(in: window.base))
                window.position = end
                return
            }
            guard try window.refill(), let again = try next() else { throw CompanionError("its file breaks off") }
            tag = again
        }
    }

    /// The point whose tag stands at the window's position, and where it ends; `nil` where the window
    /// ends within it.
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
                    enter(ByteRange(start: position, end: close), of: child.name, into: &point)
                    position = close
                case .close, .empty, .aside:
                    break
                }
            }
        }
    }

    /// Takes what stands in an element inside a point.
    private mutating func enter(_ text: ByteRange, of name: ByteRange, into point: inout RouteTrack.Point) {
        if isNamed(name, "ele") {
            point.altitude = number(text, .altitude)
        } else if isNamed(name, "time") {
            point.timestamp = DateText.parse(trimmed(text).bytes(in: window.base)) ?? .nan
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

    /// NaN for a text that is no number.
    private mutating func number(_ range: ByteRange, _ kind: RouteDecimals.Number?) -> Double {
        let text = trimmed(range).bytes(in: window.base)
        guard let number = NumberText.parse(text) else { return .nan }
        if let kind { track.decimals.see(text, of: kind) }
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

    private static let malformed = CompanionError("its file is malformed")
}
