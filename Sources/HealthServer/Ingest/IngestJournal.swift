import Foundation
import HealthSQL
import Synchronization

/// The last reports of a person's ingest, and the entries that were not understood, in the person's work folder.
///
/// Entries are kept as they were posted, one JSON object a line, each once, up to a size. A later version, or the person,
/// may understand them.
final class IngestJournal: Sendable {
    private struct State {
        /// Hashes of the lines that are kept, read when the first line is added.
        var kept: Set<Int>?
        var size = 0
    }

    private let folder: String
    private let state = Mutex(State())

    static let maximumReports = 20
    static let maximumKeptBytes = 16 << 20

    /// - Parameter folder: The work folder, which exists.
    init(folder: String) {
        self.folder = folder
    }

    private var reportsPath: String { folder + "/ingest-reports.json" }
    /// The file of entries that were not understood.
    var keptPath: String { folder + "/ingest-kept.ndjson" }

    /// The last reports, the newest first.
    func reports() -> [IngestReport] {
        guard let data = FileManager.default.contents(atPath: reportsPath) else { return [] }
        return (try? JSONDecoder().decode([IngestReport].self, from: data)) ?? []
    }

    /// Adds a report. A report that can't be written doesn't fail the request, whose data is saved.
    func add(_ report: IngestReport) {
        state.withLock { _ in
            let reports = ([report] + reports()).prefix(Self.maximumReports)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let data = try? encoder.encode(Array(reports)) else { return }
            let temporary = reportsPath + ".new"
            unlink(temporary)
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            guard (try? handle.write(contentsOf: data)) != nil else { return }
            rename(temporary, reportsPath)
        }
    }

    /// Keeps an entry that was not understood. Beyond the maximum size, entries are only reported.
    func keep(_ entry: IngestValue, path: String, name: String?, unit: String?) {
        var json = JSONText()
        json.object { json in
            json.key("path")
            json.string(path)
            if let name {
                json.key("name")
                json.string(name)
            }
            if let unit {
                json.key("units")
                json.string(unit)
            }
            json.key("entry")
            entry.write(to: &json)
        }
        json.endLine()
        let line = json.bytes
        state.withLock { state in
            if state.kept == nil {
                let stored = FileManager.default.contents(atPath: keptPath) ?? Data()
                state.size = stored.count
                state.kept = Set(stored.split(separator: 0x0A).map { Self.hash($0) })
            }
            guard state.size + line.count <= Self.maximumKeptBytes,
                state.kept?.insert(Self.hash(line.dropLast())).inserted == true
            else { return }
            let descriptor = open(keptPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            if (try? handle.write(contentsOf: line)) != nil { state.size += line.count }
        }
    }

    /// The number of entries that are kept.
    var keptCount: Int {
        (FileManager.default.contents(atPath: keptPath) ?? Data()).count { $0 == 0x0A }
    }

    private static func hash(_ bytes: some Sequence<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash)
    }
}

extension IngestValue {
    /// Writes the value as JSON, with the members of objects in alphabetical order.
    func write(to json: inout JSONText) {
        switch self {
        case .null: json.null()
        case .bool(let flag): json.bool(flag)
        case .number(let number): json.number(number)
        case .string(let text): json.string(text)
        case .array(let elements):
            json.array { json in for element in elements { element.write(to: &json) } }
        case .object(let members):
            json.object { json in
                for (name, value) in members.dictionary.sorted(by: { $0.key < $1.key }) {
                    json.key(name)
                    value.write(to: &json)
                }
            }
        }
    }
}
