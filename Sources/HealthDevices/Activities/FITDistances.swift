import HealthFiles
import HealthModel

/// The distance that a device counts from record to record. With another session, most devices count from 0 again, and
/// some continue.
struct FITDistances {
    /// The number of records within which a distance that became less is reached again, if the device didn't start again.
    private static let lateRecords = 5
    /// The seconds by which a device may write the last record of a session after the next one has begun.
    private static let rounding = 1.0

    /// When each record with a distance was made, in order.
    private let dates: [Double]
    /// The meters that the device had counted.
    private let totals: [Double]
    /// When the sessions begin, in order.
    private let starts: [Double]
    /// Whether the device counts from 0 with another session.
    private var restarts = false

    /// - Parameter column: The distance of each record, NaN in those without one, or nothing.
    init(_ dates: [Double], _ column: [Double], of sessions: [FITSession]) {
        let rows = column.indices.filter { !column[$0].isNaN }
        (self.dates, totals, starts) = (rows.map { dates[$0] }, rows.map { column[$0] }, sessions.map(\.start))
        restarts = starts.dropFirst().contains { start in
            [dates.lowerBound(of: start), first(from: start)].contains {
                $0 > 0 && $0 < totals.count && totals[$0] < totals[$0 - 1]
            }
        }
    }

    /// The distance of the records of a session, whatever its sport.
    func total(of session: FITSession) -> Double? {
        let rows = rows(of: session)
        guard let last = rows.last else { return nil }
        let distance = totals[last] - firstTotal(of: session, in: rows)
        return distance > 0 ? distance : nil
    }

    /// Adds what the distance of a session grew by from record to record, and from the last one to the next session.
    func add(of session: FITSession, _ events: FITEvents, to series: inout SampleSeries) {
        let rows = rows(of: session)
        var before = (date: session.start, distance: firstTotal(of: session, in: rows))
        var sum = 0.0
        func add(_ distance: Double, upTo date: Double) {
            series.append(distance, events.resumption(after: before.date, upTo: date.nextDown) ?? before.date, date)
            sum += distance
        }
        for row in rows {
            let (date, total) = (dates[row], totals[row])
            if total > before.distance, date > before.date {
                add(total - before.distance, upTo: date)
                before = (date, total)
            } else if isRestart(at: row, after: before.distance) {
                before = (date, total)
            } else if total == before.distance {
                before.date = max(before.date, date)
            }
        }
        // A device that starts again has no record of what it counted since the last one, as it has where it continues.
        guard restarts, !rows.isEmpty, rows.upperBound < dates.count,
            let stated = session.number(FITField.Session.totalDistance)
        else { return }
        let end = (session.end * 1_000).rounded() / 1_000
        let fastest = 2 * stated / (end - session.start)
        if stated > sum, stated - sum <= fastest * (end - before.date) { add(stated - sum, upTo: end) }
    }

    /// Whether the device started again. A distance that is reached again soon was that of a late record, as where a
    /// program has mixed up its records.
    private func isRestart(at row: Int, after distance: Double) -> Bool {
        totals[row] < distance && !totals[(row + 1)...].prefix(Self.lateRecords).contains { $0 >= distance }
    }

    /// The records of a session.
    private func rows(of session: FITSession) -> Range<Int> {
        let first = first(from: session.start)
        if let next = starts.first(where: { $0 > session.start }), next - session.end <= Self.rounding {
            return first..<max(first, self.first(from: next))
        }
        return first..<max(first, dates.partitionPoint { $0 <= session.end })
    }

    /// The first record of the session that begins at a date: the one with which the device starts again, if that is about
    /// then. The record before it, or at the change if the device continues, has the whole distance of the session before.
    private func first(from start: Double) -> Int {
        let row = dates.lowerBound(of: start)
        let near = max(row, 2)..<max(row, 2, dates.partitionPoint { $0 <= start + Self.rounding } + 1)
        return near.last {
            $0 < totals.count && totals[$0 - 1] >= totals[$0 - 2] && isRestart(at: $0, after: totals[$0 - 1])
        } ?? (restarts || start == starts.first ? row : dates.partitionPoint { $0 <= start })
    }

    /// The distance at which a session begins. The first record may continue from before the file.
    private func firstTotal(of session: FITSession, in rows: Range<Int>) -> Double {
        let earlier = rows.lowerBound > 0 ? totals[rows.lowerBound - 1] : 0
        guard let first = rows.first, let last = rows.last else { return earlier }
        return TrackDistance.first(
            totals[first], after: dates[first] - session.start, last: totals[last],
            of: session.number(FITField.Session.totalDistance),
            from: restarts || totals[first] < earlier ? 0 : earlier)
    }
}
