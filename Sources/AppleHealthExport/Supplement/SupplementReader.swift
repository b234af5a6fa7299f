import HealthFiles
import HealthModel

/// Reads a supplement line by line: the counterpart of ``SupplementWriter``.
///
/// It holds at most one line in memory, whatever the bytes are; a line that is not as it was written is reported
/// as damaged. Use it on one thread.
final class SupplementReader {
    /// The result of reading one line.
    enum Outcome {
        /// A line and its length.
        case line(SupplementLine, bytes: Int)
        /// A line whose bytes do not match its checksum.
        case damaged
        /// The file could not be read any further.
        case unreadable
    }

    private let source: any ByteSource
    private var buffer: [UInt8] = []
    private var position = 0
    /// The end of the part of the buffer known to have no line break.
    private var searched = 0
    private var isAtEnd = false

    private static let chunk = 1 << 18

    init(source: any ByteSource) {
        self.source = source
    }

    /// The next line; `nil` after the last.
    func next() -> Outcome? {
        var isTooLong = false
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[position..<end]
                position = end + 1
                searched = position
                if isTooLong { return .damaged }
                if line.isEmpty { continue }
                return outcome(line)
            }
            if buffer.count - position > SupplementText.maximumLineLength {
                isTooLong = true
                position = buffer.count
            }
            searched = buffer.count
            if isAtEnd {
                let rest = buffer[position...]
                position = buffer.count
                if isTooLong { return .damaged }
                // A last line without its line break may still be complete.
                return rest.isEmpty ? nil : outcome(rest)
            }
            do {
                try refill()
            } catch {
                isAtEnd = true
                buffer = []
                (position, searched) = (0, 0)
                return .unreadable
            }
        }
    }

    private func outcome(_ bytes: ArraySlice<UInt8>) -> Outcome {
        SupplementText.decode(bytes).map { .line($0, bytes: bytes.count) } ?? .damaged
    }

    private func refill() throws {
        buffer.removeSubrange(..<position)
        searched -= position
        position = 0
        let chunk = try [UInt8](unsafeUninitializedCapacity: Self.chunk) { bytes, count in
            count = try source.read(into: UnsafeMutableRawBufferPointer(bytes))
        }
        buffer.append(contentsOf: chunk)
        isAtEnd = chunk.isEmpty
    }
}

/// The sources, devices and units that lines of a supplement refer to by number.
struct SourceTables {
    private var revisions: [UInt32: SourceRevisionRecord] = [:]
    private var devices: [UInt32: DeviceRecord] = [:]
    private var units: [UInt32: String] = [:]

    /// The maximum number of entries, far more than any store has, so that a crafted file cannot fill memory.
    private static let maximumCount = 100_000

    /// Records the source, device or unit of a line; returns false for other lines and beyond the maximum.
    mutating func record(_ line: SupplementLine) -> Bool {
        guard revisions.count + devices.count + units.count < Self.maximumCount else { return false }
        switch line {
        case .source(let number, let revision): revisions[number] = revision
        case .device(let number, let device): devices[number] = device
        case .unit(let number, let unit): units[number] = unit
        default: return false
        }
        return true
    }

    func revision(_ number: UInt32) -> SourceRevisionRecord? { revisions[number] }
    func device(_ number: UInt32) -> DeviceRecord? { devices[number] }
    func unit(_ number: UInt32) -> String? { units[number] }

    /// Whether quantities of a type can be in a unit; categories have none.
    private static func isCompatible(_ unit: String?, _ type: TypeDescription?) -> Bool {
        guard type?.kind != .category else { return unit == nil }
        guard let unit, let parsed = try? UnitExpression(parsing: unit) else { return unit == nil && type == nil }
        guard let canonical = type?.canonicalUnit, let wanted = try? UnitExpression(parsing: canonical) else {
            return true
        }
        return parsed.isCompatible(with: wanted)
    }

    /// The samples of a page with their sources, devices and units; `nil` if one of these is unknown.
    func samples(_ page: SupplementPage, type: TypeCode) throws -> [SampleRecord]? {
        let columns = try page.columns()
        let description = TypeCatalog.description(for: type)
        var compatible: [UInt32: Bool] = [:]
        func isCompatible(_ number: UInt32) -> Bool {
            if let known = compatible[number] { return known }
            let isCompatible = Self.isCompatible(unit(number), description)
            compatible[number] = isCompatible
            return isCompatible
        }
        var samples: [SampleRecord] = []
        for row in columns.starts.indices {
            guard let revision = revision(columns.revisions[row]),
                columns.devices[row] == 0 || device(columns.devices[row]) != nil, isCompatible(columns.units[row])
            else { return nil }
            samples.append(
                SampleRecord(
                    uuid: columns.uuid(at: row), type: type, start: columns.starts[row], end: columns.ends[row],
                    value: columns.values[row], unit: unit(columns.units[row]) ?? "", revision: revision,
                    device: device(columns.devices[row]), metadata: columns.metadata(at: row),
                    creation: columns.creation(at: row)))
        }
        return samples
    }
}
