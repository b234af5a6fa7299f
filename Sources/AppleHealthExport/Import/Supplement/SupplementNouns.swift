import HealthModel

/// The sources, devices and units that lines of a supplement mean by numbers.
struct SupplementNouns {
    private var revisions: [UInt32: SourceRevisionRecord] = [:]
    private var devices: [UInt32: DeviceRecord] = [:]
    private var units: [UInt32: String] = [:]

    /// More of them than any store has are somebody's attempt to fill the memory.
    private static let greatestCount = 100_000

    /// Takes a line that gives a noun its number; false for any other, and for one too many.
    mutating func take(_ line: SupplementLine) -> Bool {
        guard revisions.count + devices.count + units.count < Self.greatestCount else { return false }
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

    /// Whether quantities of a type may be in a unit; categories have none.
    private static func fits(_ unit: String?, _ type: TypeDescription?) -> Bool {
        guard type?.kind != .category else { return unit == nil }
        guard let unit, let parsed = try? UnitExpression(parsing: unit) else { return unit == nil && type == nil }
        guard let canonical = type?.canonicalUnit, let wanted = try? UnitExpression(parsing: canonical) else { return true }
        return parsed.isCompatible(with: wanted)
    }

    /// The samples of a page with their nouns spelled out; `nil` where one of them is unknown, or the type.
    func samples(_ page: SupplementPage, type: TypeCode) throws -> [SampleRecord]? {
        let columns = try page.columns()
        let description = TypeCatalog.description(for: type)
        var fitting: [UInt32: Bool] = [:]
        func fits(_ number: UInt32) -> Bool {
            if let known = fitting[number] { return known }
            let fits = Self.fits(unit(number), description)
            fitting[number] = fits
            return fits
        }
        var samples: [SampleRecord] = []
        for row in columns.starts.indices {
            guard let revision = revision(columns.revisions[row]),
                columns.devices[row] == 0 || device(columns.devices[row]) != nil,
                fits(columns.units[row])
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
