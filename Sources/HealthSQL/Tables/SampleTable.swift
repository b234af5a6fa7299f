import HealthModel

/// `samples`: quantities and categories, read page by page.
///
/// Narrowed by type, times and number; read in order of start where a statement asks for that; only the columns
/// a statement names are decoded.
final class SampleTable: VirtualTable {
    enum Column: Int, CaseIterable {
        case type, startDate, endDate, value, valueName, unit, source, device, metadata, day, startTime, endTime
        case duration, creationDate, bundleIdentifier, revision, deviceNumber, identifier, uuid, sequence
    }

    private let context: TableContext

    init(_ context: TableContext) {
        self.context = context
        super.init("samples", Column.allCases.map(\.declared), about: "Quantity and category samples, of all types.")
    }

    override func open() -> VirtualCursor {
        SampleCursor(context)
    }

    override func plan(_ request: inout IndexRequest) {
        let bounds: [IndexPlan.Comparison] = [.equal, .greater, .greaterOrEqual, .less, .lessOrEqual]
        let wanted = request.order
        let isSingle = !request.take(Column.sequence.rawValue, [.equal]).isEmpty
            || !request.take(-1, [.equal]).isEmpty || !request.take(Column.uuid.rawValue, [.equal]).isEmpty
        let byType = request.take(Column.type.rawValue, [.equal], isExact: true, collation: "NOCASE")
            + request.take(Column.identifier.rawValue, [.equal], isExact: true, collation: "NOCASE")
        request.take(Column.metadata.rawValue, [.isNotNull])
        var times: [IndexPlan.Comparison] = []
        for column in [Column.startTime, .endTime] { times += request.take(column.rawValue, bounds) }
        for column in [Column.startDate, .endDate, .day] {
            times += request.take(column.rawValue, bounds + [.like, .glob])
        }
        if let order = order(wanted, ofOneType: !byType.isEmpty) { request.deliver(order) }
        guard !isSingle else { return request.estimate(rows: 1, cost: 30, isUnique: true) }
        var rows = byType.isEmpty ? 4_000_000.0 : 100_000.0
        if times.contains(.equal) || times.contains(.like) || times.contains(.glob) { rows /= 1_000 }
        if times.contains(where: { $0 == .greater || $0 == .greaterOrEqual }) { rows /= 8 }
        if times.contains(where: { $0 == .less || $0 == .lessOrEqual }) { rows /= 8 }
        request.estimate(rows: rows, cost: 500 + rows)
    }

    /// The order rows come in that does for the one wanted; `nil` where SQLite must sort.
    private func order(_ wanted: [IndexRequest.Key], ofOneType isOne: Bool) -> IndexPlan.Order? {
        guard !wanted.isEmpty else { return nil }
        var rest = wanted[...]
        func takes(_ columns: Set<Column>, descending: Bool) -> Bool {
            guard let key = rest.first, let column = Column(rawValue: key.column), columns.contains(column),
                key.isDescending == descending
            else { return false }
            rest = rest.dropFirst()
            return true
        }
        var isByType = false
        if isOne {
            rest = rest.filter { $0.column != Column.type.rawValue && $0.column != Column.identifier.rawValue }[...]
        } else {
            isByType = takes([.type], descending: false)
        }
        guard let first = rest.first else { return .natural }
        let isDescending = first.isDescending
        if isByType, isDescending { return nil }
        if context.daysAscend { while takes([.day], descending: isDescending) {} }
        if takes([.startTime], descending: isDescending), isOne || isByType {
            _ = takes([.sequence], descending: isDescending)
        }
        guard rest.isEmpty else { return nil }
        return isDescending ? .startDescending : isOne || isByType ? .natural : .start
    }
}

extension SampleTable.Column {
    fileprivate var declared: SQLColumn {
        switch self {
        case .type: SQLColumn("type", .name, "short name of the type, such as stepCount")
        case .startDate: SQLColumn("start_date", .text, "start as ISO 8601 in the session’s time zone")
        case .endDate: SQLColumn("end_date", .text, "end as ISO 8601")
        case .value: SQLColumn("value", .real, "the quantity in unit, or the category’s number")
        case .valueName: SQLColumn("value_name", .text, "the category’s name, such as asleepDeep")
        case .unit: SQLColumn("unit", .text, "the quantity’s unit as it was written")
        case .source: SQLColumn("source", .text, "name of the source")
        case .device: SQLColumn("device", .text, "name of the device")
        case .metadata: SQLColumn("metadata", .json, "metadata as a JSON object")
        case .day: SQLColumn("day", .text, "local day of the start, such as 2024-01-31")
        case .startTime: SQLColumn("start_time", .real, "start in seconds since 1970-01-01 UTC")
        case .endTime: SQLColumn("end_time", .real, "end in seconds since 1970-01-01 UTC")
        case .duration: SQLColumn("duration", .real, "end minus start, in seconds")
        case .creationDate: SQLColumn("creation_date", .text, "when the sample was made, where an archive tells")
        case .bundleIdentifier: SQLColumn("bundle_identifier", .text, "the source’s bundle identifier")
        case .revision: SQLColumn("revision_id", .integer, "the row of source_revisions")
        case .deviceNumber: SQLColumn("device_id", .integer, "the row of devices")
        case .identifier: SQLColumn("identifier", .name, "HealthKit’s identifier of the type")
        case .uuid: SQLColumn("uuid", .text, "HealthKit’s UUID of the sample")
        case .sequence: SQLColumn("sequence", .integer, "the sample’s number in this store")
        }
    }

    /// What must be decoded for the column.
    var stored: SampleColumnSet {
        switch self {
        case .type, .identifier: []
        case .startDate, .startTime, .day: .starts
        case .endDate, .endTime: .ends
        case .value, .valueName: .values
        case .unit: .units
        case .source, .bundleIdentifier, .revision: .revisions
        case .device, .deviceNumber: .devices
        case .metadata: .metadata
        case .duration: [.starts, .ends]
        case .creationDate: .creations
        case .uuid: [.uuids, .sequences]
        case .sequence: .sequences
        }
    }
}
