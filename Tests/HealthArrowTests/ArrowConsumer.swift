import COpenHealthKit
import Foundation
import HealthAnswers
import HealthArrow
import HealthEngine
import HealthJSON
import HealthKit
import HealthModel
import HealthStorage

/// A value of a table, as a consumer of the C data interface reads it.
indirect enum ArrowValue: Equatable {
    case null
    case number(Double)
    case integer(Int64)
    case flag(Bool)
    case text(String)
    case bytes([UInt8])
    case list([ArrowValue])
    case row([String: ArrowValue])
}

/// Reads a stream by the rules of the specification, and releases everything.
struct ArrowConsumer {
    struct Column: Equatable {
        var name: String
        var format: String
        var isNullable: Bool
        var metadata: [String: String]
        var children: [Column]
        var hasDictionary: Bool
    }

    private(set) var columns: [Column] = []
    /// The rows of each batch.
    private(set) var batches: [[[ArrowValue]]] = []
    private(set) var error: String?

    var rows: [[ArrowValue]] { batches.flatMap { $0 } }

    /// - Parameter limit: The number of batches after which the stream is released.
    init(_ source: some ArrowSource, limit: Int = .max) throws {
        var stream = ArrowArrayStream()
        try ArrowStream(source) { "\($0)" }.export(to: &stream)
        defer {
            stream.release(&stream)
            precondition(stream.release == nil)
        }
        var schema = ArrowSchema()
        precondition(stream.get_schema(&stream, &schema) == 0)
        columns = Self.column(schema).children
        schema.release(&schema)
        precondition(schema.release == nil)
        while batches.count < limit {
            var array = ArrowArray()
            guard stream.get_next(&stream, &array) == 0 else {
                error = stream.get_last_error(&stream).map { String(cString: $0) } ?? ""
                return
            }
            guard array.release != nil else { return }
            let parts = columns.enumerated().map { Self.values(array.children[$0]!.pointee, $1) }
            batches.append((0..<Int(array.length)).map { row in parts.map { $0[row] } })
            array.release(&array)
            precondition(array.release == nil)
        }
    }

    func column(_ name: String) -> [ArrowValue] {
        let index = columns.firstIndex { $0.name == name }!
        return rows.map { $0[index] }
    }

    private static func column(_ schema: ArrowSchema) -> Column {
        Column(
            name: String(cString: schema.name), format: String(cString: schema.format),
            isNullable: schema.flags & Int64(ARROW_FLAG_NULLABLE) != 0, metadata: metadata(schema.metadata),
            children: (0..<Int(schema.n_children)).map { column(schema.children[$0]!.pointee) },
            hasDictionary: schema.dictionary != nil)
    }

    private static func metadata(_ start: UnsafePointer<CChar>?) -> [String: String] {
        guard let start else { return [:] }
        var place = UnsafeRawPointer(start)
        func number() -> Int {
            defer { place += 4 }
            return Int(place.loadUnaligned(as: Int32.self))
        }
        func text() -> String {
            let count = number()
            defer { place += count }
            return String(decoding: UnsafeRawBufferPointer(start: place, count: count), as: UTF8.self)
        }
        return Dictionary(uniqueKeysWithValues: (0..<number()).map { _ in (text(), text()) })
    }

    private static func values(_ array: ArrowArray, _ column: Column) -> [ArrowValue] {
        let count = Int(array.length)
        let valid = array.buffers[0]?.assumingMemoryBound(to: UInt8.self)
        let values = validValues(array, column)
        let result = (0..<count).map { row -> ArrowValue in
            valid.map { $0[row >> 3] >> UInt8(row & 7) & 1 == 1 } ?? true ? values(row) : .null
        }
        precondition(result.count { $0 == .null } == array.null_count || column.format == "g")
        return result
    }

    private static func validValues(_ array: ArrowArray, _ column: Column) -> (Int) -> ArrowValue {
        func numbers<Number>(_ kind: Number.Type) -> UnsafePointer<Number> {
            array.buffers[1]!.assumingMemoryBound(to: kind)
        }
        func part(_ row: Int) -> Range<Int> {
            Int(numbers(Int32.self)[row])..<Int(numbers(Int32.self)[row + 1])
        }
        func bytes(_ row: Int) -> [UInt8] {
            Array(UnsafeRawBufferPointer(start: array.buffers[2]! + part(row).lowerBound, count: part(row).count))
        }
        if column.hasDictionary {
            let texts = values(
                array.dictionary.pointee,
                Column(name: "", format: "u", isNullable: false, metadata: [:], children: [], hasDictionary: false))
            return { texts[Int(numbers(UInt16.self)[$0])] }
        }
        switch column.format {
        case "g": return { .number(numbers(Double.self)[$0]) }
        case "tdD": return { .integer(Int64(numbers(Int32.self)[$0])) }
        case "b": return { .flag(numbers(UInt8.self)[$0 >> 3] >> UInt8($0 & 7) & 1 == 1) }
        case "u": return { .text(String(decoding: bytes($0), as: UTF8.self)) }
        case "z": return { .bytes(bytes($0)) }
        case "w:16": return { .bytes(Array(UnsafeRawBufferPointer(start: array.buffers[1]! + $0 * 16, count: 16))) }
        case "+l", "+m":
            let elements = values(array.children[0]!.pointee, column.children[0])
            return { .list(Array(elements[part($0)])) }
        case "+s":
            let parts = column.children.enumerated().map { ($1.name, values(array.children[$0]!.pointee, $1)) }
            return { row in .row(Dictionary(uniqueKeysWithValues: parts.map { ($0, $1[row]) })) }
        default:
            precondition(column.format == "l" || column.format.hasPrefix("tsu:"), column.format)
            return { .integer(numbers(Int64.self)[$0]) }
        }
    }
}

/// A store in memory of which questions are asked as JSON.
struct ArrowStore: QuestionContext {
    let engine: HealthEngine
    let now = Date(timeIntervalSinceReferenceDate: 10 * 86_400)

    static let caller = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "org.example.watch", name: "Watch")),
        permission: .owner)

    init(pageCapacity: Int = 100) throws {
        engine = try HealthEngine(
            storage: StorageProviders.shared.openInMemory(),
            configuration: EngineConfiguration(pageCapacity: pageCapacity, now: { 0 }))
    }

    static func type(_ name: String) -> TypeCode {
        TypeCatalog.all.first { $0.shortName == name }!.code
    }

    /// Saves samples from one source.
    func save(_ samples: [SampleRecord], from source: String = "Watch") throws {
        let caller = Caller(
            revision: SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: "org.example.\(source.lowercased())", name: source)),
            permission: .owner)
        try engine.save(samples.map { .sample($0) }, as: caller)
    }

    private var setting: QuestionSetting {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Europe/Berlin")!
        return QuestionSetting(engine: engine, caller: Self.caller, calendar: calendar, now: now)
    }

    func ask(_ json: String, limit: Int = .max) async throws -> ArrowConsumer {
        let table = try await ArrowQuestion(json: Array(json.utf8)).table(self, setting)
        return try ArrowConsumer(table, limit: limit)
    }

    func json(_ json: String) async throws -> String {
        String(decoding: try await ArrowQuestion(json: Array(json.utf8)).json(self, setting), as: UTF8.self)
    }

    /// The table of what a server has answered.
    func receive(_ json: String, _ answer: String) throws -> ArrowConsumer {
        try ArrowConsumer(ArrowQuestion(json: Array(json.utf8)).table(received: Array(answer.utf8), setting))
    }

    func check(_ json: String) throws {
        try ArrowQuestion(json: Array(json.utf8)).check(setting)
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (HealthEngine, Caller) throws -> Value
    ) async throws -> Value {
        try work(engine, Self.caller)
    }

    func healthStore(calendar: Calendar) -> HKHealthStore {
        HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .inMemory(name: nil), authorization: .allowAll, calendar: calendar),
            engine: engine, availability: DeviceAvailability())
    }
}
