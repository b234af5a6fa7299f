import Foundation
import HealthModel

/// Random columns of every kind that a page may contain.
enum RandomColumns {
    static func make(count: Int, _ random: inout SeededRandom) -> SampleColumns {
        var columns = SampleColumns(type: TypeCode(rawValue: UInt32(random.int(0...2_000_000))))
        var starts = instants(count, &random)
        starts.sort()
        columns.starts = starts
        columns.sequences = sequences(count, &random)
        // Rows with the same start are ordered by sequence number.
        for row in 1..<max(1, count) where starts[row] == starts[row - 1] {
            if columns.sequences[row] < columns.sequences[row - 1] {
                columns.sequences.sort()
                break
            }
        }
        columns.ends = ends(starts, &random)
        columns.values = values(count, &random)
        columns.units = identifiers(count, &random)
        columns.revisions = identifiers(count, &random, mayBeEmpty: false)
        columns.devices = identifiers(count, &random)
        if !random.chance(3) {
            columns.metadata.table = (0..<random.int(1...6)).map { _ in metadata(&random) }
            let table = columns.metadata.table.count
            columns.metadata.numbers = (0..<count).map { _ in UInt32(random.int(0...table)) }
        } else if random.chance(2) {
            columns.metadata.numbers = Array(repeating: 0, count: count)
        }
        if random.chance(2) {
            let all = random.chance(2)
            columns.uuids = OptionalColumn((0..<count).map { _ in all || random.chance(2) ? uuid(&random) : nil })
        }
        if !random.chance(3) { columns.creations = OptionalColumn(creations(columns.ends, &random)) }
        return columns
    }

    static func uuid(_ random: inout SeededRandom) -> UUID {
        let halves = (random.next(), random.next())
        return withUnsafeBytes(of: halves) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    static let strings = [
        "", "a", "HKWasUserEntered", "HKTimeZone", "Europe/Berlin", "caf\u{E9}", "cafe\u{301}", "🙂 x", "\u{0}\n\t",
        "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0",
        "0F1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", "00112233-4455-6677-8899-001122334455",
    ]

    /// Any bit pattern, frequently a special one.
    static func anyDouble(_ random: inout SeededRandom) -> Double {
        switch random.int(0...9) {
        case 0: -0.0
        case 1: .infinity
        case 2: -.infinity
        case 3: Double(bitPattern: 0x7FF8_0000_0000_0000 | random.next() & 0xFFFF_FFFF)
        case 4: Double(bitPattern: 0xFFF0_0000_0000_0001)
        case 5: .leastNonzeroMagnitude
        case 6: .greatestFiniteMagnitude
        default: Double(bitPattern: random.next())
        }
    }

    static func metadata(_ random: inout SeededRandom) -> Metadata {
        Metadata(
            (0..<random.int(0...4)).map { _ in
                let value: MetadataValue =
                    switch random.int(0...6) {
                    case 0: .string(random.pick(strings))
                    case 1: .bool(random.chance(2))
                    case 2: .integer(Int64(bitPattern: random.next()))
                    case 3: .integer(Int64(random.int(-3...3)))
                    case 4: .double(anyDouble(&random))
                    case 5: .date(Double(random.int(0...900_000_000)))
                    default: .quantity(Double(random.int(-500...500)) / 10, unit: random.pick(strings))
                    }
                return Metadata.Entry(
                    key: random.pick(strings), value: value,
                    archivedText: random.chance(3) ? random.pick(strings) : nil)
            })
    }

    private static func instants(_ count: Int, _ random: inout SeededRandom) -> [Double] {
        let style = random.int(0...7)
        var instant = Double(random.int(-100_000...800_000_000))
        return (0..<count).map { _ in
            switch style {
            case 0: instant += Double(random.int(0...600))
            case 1: instant = (instant * 1000 + Double(random.int(0...600_000))).rounded() / 1000
            case 2: instant = (instant * 1e6 + Double(random.int(0...600_000_000))).rounded() / 1e6
            case 3: instant += random.fraction() * 600
            case 4: break
            case 5: instant += random.chance(5) ? Double(random.int(0...10_000_000)) : 5
            case 6: return random.pick([-63_114_076_800, 64_092_211_200, 0, -0.0, instant, 0.5, 1e-9])
            default: return random.pick([-.infinity, .infinity, -.greatestFiniteMagnitude, instant, 1])
            }
            return instant
        }
    }

    private static func ends(_ starts: [Double], _ random: inout SeededRandom) -> [Double] {
        let style = random.int(0...7)
        return starts.indices.map { row in
            let start = starts[row]
            let next = starts[min(row + 1, starts.count - 1)]
            switch style {
            case 0: return start
            case 1: return start + Double(random.int(0...1000))
            case 2: return start + random.fraction()
            case 3: return next
            case 4: return random.chance(8) ? start + Double(random.int(-40...400)) : next
            case 5: return start + Double(random.int(0...100)) / 10
            case 6: return random.pick([start, .infinity, 64_092_211_200, start - 1, -0.0])
            default: return start + 60
            }
        }
    }

    private static func values(_ count: Int, _ random: inout SeededRandom) -> [Double] {
        let style = random.int(0...8)
        let power = random.pick([1.0, 10, 100, 1e3, 1e6, 1e12])
        let few = (0..<random.int(1...5)).map { _ in anyDouble(&random) }
        return (0..<count).map { _ in
            switch style {
            case 0: return Double(random.int(40...180))
            case 1: return Double(random.int(-9999...9999)) / power
            case 2: return random.chance(12) ? 1.0 / 3 : Double(random.int(0...999)) / 100
            case 3: return random.chance(12) ? 0.123_456_789 : Double(random.int(0...999))
            case 4: return random.fraction() * 100
            case 5: return anyDouble(&random)
            case 6: return random.pick(few)
            case 7: return random.chance(20) ? anyDouble(&random) : Double(random.int(0...9))
            default: return 1
            }
        }
    }

    private static func identifiers(
        _ count: Int, _ random: inout SeededRandom, mayBeEmpty: Bool = true
    ) -> [UInt32] {
        switch random.int(0...5) {
        case 0 where mayBeEmpty: return []
        case 0, 1: return Array(repeating: UInt32(random.int(0...9)), count: count)
        case 2: return (0..<count).map { _ in random.pick([7, 9]) }
        case 3: return (0..<count).map { _ in UInt32(random.int(0...20)) * 1_000 }
        case 4: return (0..<count).map { UInt32($0 / 10) }
        default: return (0..<count).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
        }
    }

    private static func sequences(_ count: Int, _ random: inout SeededRandom) -> [Int64] {
        let first = Int64(random.int(1...1 << 40))
        switch random.int(0...3) {
        case 0: return (0..<count).map { first + Int64($0) }
        case 1: return (0..<count).map { first + Int64($0) * 3 }.shuffled(using: &random)
        case 2: return (0..<count).map { first + Int64($0) + ($0 > count / 2 ? 5000 : 0) }
        default: return (0..<count).map { _ in Int64(bitPattern: random.next()) }
        }
    }

    private static func creations(_ ends: [Double], _ random: inout SeededRandom) -> [Double] {
        let style = random.int(0...5)
        var handed = 0.0
        return ends.map { end in
            switch style {
            case 0: return end + Double(random.int(1...900))
            case 1: return random.chance(3) ? .nan : end + 30
            case 2:
                if random.chance(20) || handed == 0 { handed = end + 5 }
                return handed
            case 3: return end + random.fraction() * 100
            case 4: return anyDouble(&random)
            default: return .nan
            }
        }
    }
}
