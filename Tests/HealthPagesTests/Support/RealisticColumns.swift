import Foundation
import HealthModel

/// Random columns that resemble a person's history.
enum RealisticColumns {
    /// Heart rate from a watch: every few minutes, every five seconds in a workout, created soon after.
    static func heartRate(_ count: Int, seed: UInt64 = 1) -> SampleColumns {
        var random = SeededRandom(seed)
        var columns = SampleColumns(type: TypeCode(rawValue: 5))
        columns.metadata.table = (0...2).map {
            Metadata([.init(key: "HKMetadataKeyHeartRateMotionContext", value: .integer(Int64($0)))])
        }
        var instant = 600_000_000.0
        var rate = 70
        var workout = 0
        for row in 0..<count {
            if workout > 0 {
                workout -= 1
                instant += Double(random.int(4...6))
            } else {
                instant += Double(random.int(180...420))
                if random.chance(100) { workout = 500 }
            }
            rate = max(48, min(180, rate + random.int(-6...6)))
            columns.starts.append(instant)
            columns.ends.append(instant)
            columns.values.append(Double(rate))
            columns.units.append(1)
            columns.revisions.append(7)
            columns.devices.append(3)
            columns.metadata.numbers.append(UInt32(random.int(1...3)))
            columns.sequences.append(Int64(row + 1))
            columns.creations.append(instant + Double(random.int(1...240)))
        }
        return columns
    }

    /// Overlapping steps from a watch and a phone.
    static func steps(_ count: Int, seed: UInt64 = 2) -> SampleColumns {
        var random = SeededRandom(seed)
        var rows: [(start: Double, end: Double, value: Double, source: UInt32)] = []
        var clocks = [600_000_000.0, 600_000_100.0]
        while rows.count < count {
            let source = clocks[0] < clocks[1] ? 0 : 1
            let length = Double(random.int(5...600))
            let start = clocks[source]
            rows.append((start, start + length, Double(random.int(5...900)), UInt32(source + 1)))
            clocks[source] += length + (random.chance(3) ? Double(random.int(1...5000)) : 0)
        }
        rows.sort { $0.start < $1.start }
        var columns = SampleColumns(type: TypeCode(rawValue: 6))
        for (row, sample) in rows.enumerated() {
            columns.starts.append(sample.start)
            columns.ends.append(sample.end)
            columns.values.append(sample.value)
            columns.units.append(2)
            columns.revisions.append(sample.source)
            columns.devices.append(sample.source)
            columns.metadata.numbers.append(0)
            columns.sequences.append(Int64(row + 1))
            columns.creations.append(sample.end + Double(random.int(20...900)))
        }
        return columns
    }

    /// Active energy: contiguous intervals, values with six digits.
    static func energy(_ count: Int, seed: UInt64 = 3) -> SampleColumns {
        var random = SeededRandom(seed)
        var columns = SampleColumns(type: TypeCode(rawValue: 7))
        var instant = 600_000_000.0
        for row in 0..<count {
            let length = Double(random.int(30...70))
            columns.starts.append(instant)
            columns.ends.append(instant + length)
            columns.values.append(Double(random.int(1...9_999)) / 1000)
            columns.units.append(4)
            columns.revisions.append(random.chance(10) ? 2 : 7)
            columns.devices.append(3)
            columns.metadata.numbers.append(0)
            columns.sequences.append(Int64(row + 1))
            columns.creations.append(instant + length + Double(random.int(20...900)))
            instant += length
            if random.chance(20) { instant += Double(random.int(100...3000)) }
        }
        return columns
    }
}
