import Foundation
import HealthEngine
import HealthModel

/// A table of objects of some families: a row an object, read one at a time.
///
/// Its first column is the type where it has several; then come those of the family, then those that all
/// objects have.
final class ObjectTable: VirtualTable {
    /// A column of a family's own.
    struct Own {
        var column: SQLColumn
        var value: (ObjectRecord, TableContext) throws -> SQLValue
    }

    /// The columns that all objects have.
    enum Common: Int, CaseIterable {
        case startDate, endDate, source, device, metadata, day, startTime, endTime, duration, creationDate
        case bundleIdentifier, revision, deviceNumber, type, identifier, uuid, sequence

        fileprivate var declared: SQLColumn {
            switch self {
            case .startDate: SQLColumn("start_date", .text, "start as ISO 8601 in the session’s time zone")
            case .endDate: SQLColumn("end_date", .text, "end as ISO 8601")
            case .source: SQLColumn("source", .text, "name of the source")
            case .device: SQLColumn("device", .text, "name of the device")
            case .metadata: SQLColumn("metadata", .json, "metadata as a JSON object")
            case .day: SQLColumn("day", .text, "local day of the start")
            case .startTime: SQLColumn("start_time", .real, "start in seconds since 1970-01-01 UTC")
            case .endTime: SQLColumn("end_time", .real, "end in seconds since 1970-01-01 UTC")
            case .duration: SQLColumn("duration", .real, "seconds; a workout’s without its pauses")
            case .creationDate: SQLColumn("creation_date", .text, "when the object was made, where an archive tells")
            case .bundleIdentifier: SQLColumn("bundle_identifier", .text, "the source’s bundle identifier")
            case .revision: SQLColumn("revision_id", .integer, "the row of source_revisions")
            case .deviceNumber: SQLColumn("device_id", .integer, "the row of devices")
            case .type: SQLColumn("type", .name, "short name of the type, such as workout")
            case .identifier: SQLColumn("identifier", .name, "HealthKit’s identifier of the type")
            case .uuid: SQLColumn("uuid", .text, "HealthKit’s UUID of the object")
            case .sequence: SQLColumn("sequence", .integer, "the object’s number in this store")
            }
        }
    }

    let context: TableContext
    let own: [Own]
    /// Which types the table is of.
    let isWanted: (TypeDescription) -> Bool

    init(
        _ name: String, about: String, own: [Own], _ context: TableContext, isWanted: @escaping (TypeDescription) -> Bool
    ) {
        self.context = context
        self.own = own
        self.isWanted = isWanted
        super.init(name, own.map(\.column) + Common.allCases.map(\.declared), about: about)
    }

    override func open() -> VirtualCursor { ObjectCursor(self) }

    /// The common column that stands at a place of the table.
    func common(_ index: Int) -> Common? { Common(rawValue: index - own.count) }

    func index(_ column: Common) -> Int { own.count + column.rawValue }

    /// The table's types that are there, in alphabetical order.
    func types() throws -> [TypeDescription] {
        try context.types.get().filter { !$0.kind.isPaged && isWanted($0) }
    }

    override func plan(_ request: inout IndexRequest) {
        let bounds: [IndexPlan.Comparison] = [.equal, .greater, .greaterOrEqual, .less, .lessOrEqual]
        let wanted = request.order
        let isSingle = !request.take(index(.sequence), [.equal]).isEmpty
            || !request.take(-1, [.equal]).isEmpty || !request.take(index(.uuid), [.equal]).isEmpty
        let byType = request.take(index(.type), [.equal]) + request.take(index(.identifier), [.equal])
        var times: [IndexPlan.Comparison] = []
        for column in [Common.startTime, .endTime] { times += request.take(index(column), bounds) }
        for column in [Common.startDate, .endDate, .day] {
            times += request.take(index(column), bounds + [.like, .glob])
        }
        let hasOneType = (try? types().count <= 1) ?? false
        if wanted.count == 1, wanted[0].column == index(.startTime), hasOneType {
            request.deliver(wanted[0].isDescending ? .startDescending : .natural)
        }
        guard !isSingle else { return request.estimate(rows: 1, cost: 10, isUnique: true) }
        var rows = byType.isEmpty ? 5_000.0 : 2_000.0
        for _ in times { rows /= 4 }
        request.estimate(rows: rows, cost: 20 + 10 * rows)
    }
}
