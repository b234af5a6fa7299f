import HealthEngine
import HealthModel

/// A cursor over rows that are made in portions, so that a statement that stops early or reads very many rows doesn't
/// have all of them in memory.
///
/// A subclass returns the portions, and begins with ``start()`` when it is given a plan.
class BatchCursor<Row>: VirtualCursor {
    final let context: TableContext
    private var rows: [Row] = []
    private var index = 0
    private var passed: Int64 = 0

    init(_ context: TableContext) {
        self.context = context
    }

    /// Returns the next rows, maybe none; `nil` at the end.
    func nextPortion() throws -> [Row]? { nil }

    /// Moves to the first row.
    final func start() throws {
        passed = 0
        try fill()
    }

    private func fill() throws {
        (rows, index) = ([], 0)
        while rows.isEmpty, let portion = try nextPortion() { rows = portion }
        try memory.take(Self.memory + rows.count * MemoryLayout<Row>.stride)
    }

    /// The current row.
    final var row: Row { rows[index] }

    final override var isAtEnd: Bool { index >= rows.count }

    final override func next() throws {
        context.rowsVisited += 1
        index += 1
        passed += 1
        if index >= rows.count { try fill() }
    }

    final override var rowNumber: Int64 { get throws { passed + 1 } }
}

/// The days on which there can be data, a portion at a time.
struct DayBatches {
    /// Descending, and disjoint.
    private var waiting: [ClosedRange<Int>] = []

    /// The usual number of days of a portion: eleven years.
    private static let usualCount = 4_096

    /// No days.
    init() {}

    /// - Parameter days: Ranges of the numbers of days, in any order.
    init(_ days: [ClosedRange<Int>]) {
        waiting = days.merged(within: 1).reversed()
    }

    /// Returns the days that stretches of time touch.
    static func days(_ times: [ClosedRange<Double>], _ clock: LocalClock) -> [ClosedRange<Int>] {
        times.map { clock.dayNumber(at: $0.lowerBound)...clock.dayNumber(at: $0.upperBound) }
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Removes the next days and returns them in ascending order; none at the end.
    mutating func next() -> [ClosedRange<Int>] {
        var portion: [ClosedRange<Int>] = []
        var room = Self.usualCount
        while room > 0, let days = waiting.popLast() {
            if days.count > room {
                waiting.append(days.lowerBound + room...days.upperBound)
                portion.append(days.lowerBound...days.lowerBound + room - 1)
            } else {
                portion.append(days)
            }
            room -= days.count
        }
        return portion
    }
}
