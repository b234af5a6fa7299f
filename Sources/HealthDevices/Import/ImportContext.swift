import Foundation
import HealthModel

/// What the files of an import share.
final class ImportContext {
    /// The person's time zone, if it is known.
    let timeZone: TimeZone?
    /// Whether to keep what was read of a file whose checksum is wrong.
    let recoversDamaged: Bool
    /// What its tables share.
    let columns: ColumnContext
    /// The workouts that were read, which archives may list with less detail.
    private(set) var workouts = GooglePeriods()

    init(timeZone: TimeZone?, recoversDamaged: Bool = false) {
        (self.timeZone, self.recoversDamaged) = (timeZone, recoversDamaged)
        columns = ColumnContext(timeZone: timeZone ?? .current)
    }

    /// Takes note of the workouts that a file has.
    func add(_ content: DeviceContent) {
        for object in content.objects {
            if case .workout = object.body { workouts.add(object.start, object.end) }
        }
    }

    /// Takes note of bytes that were read.
    func count(_ bytes: Int) { columns.count(bytes) }

    /// The number of bytes that were read, from which counting begins again.
    func takeByteCount() -> Int { columns.takeByteCount() }
}
