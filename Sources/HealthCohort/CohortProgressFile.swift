import Foundation
import HealthModel
import Synchronization

/// Keeps the figures of the people who have been read, so that an interrupted run doesn't read them again.
///
/// The first line identifies the request. Each further line has one person's figures of one part of the range. A line
/// that was truncated when the process ended is ignored. Only the owner may read the file, because it has figures of single
/// people; it is removed when the answer is complete.
final class CohortProgressFile: Sendable {
    private struct Heading: Codable, Equatable {
        var version = 1
        var request: String
        var people: Int
    }

    private struct Line: Codable {
        var part: Int
        var person: Int
        var intervals: [Int]
        var values: [Double]
    }

    private struct Key: Hashable {
        var part: Int
        var person: Int
    }

    private let url: URL
    private let known: [Key: [CohortFigure]]
    private let handle: Mutex<FileHandle>

    /// Opens the file or creates it.
    ///
    /// - Throws: ``CohortError`` if it belongs to another request or can't be used.
    init(_ url: URL, request: CohortRequest, people: [String], parts: Int) throws {
        self.url = url
        let heading = Heading(request: request.fingerprint(people: people, parts: parts), people: people.count)
        var known: [Key: [CohortFigure]] = [:]
        var length = 0
        if let data = FileManager.default.contents(atPath: url.path), !data.isEmpty {
            // What follows the last line feed was truncated.
            let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            guard let first = lines.first, let found = try? JSONDecoder().decode(Heading.self, from: first) else {
                throw CohortError("“\(url.path)” is not a progress file of a cohort.")
            }
            guard found == heading else {
                throw CohortError(
                    "“\(url.path)” has the progress of another request. Remove the file, or repeat that request.")
            }
            length = first.count + 1
            for text in lines.dropFirst() {
                guard let line = try? JSONDecoder().decode(Line.self, from: text),
                    line.values.count == line.intervals.count
                else { break }
                length += text.count + 1
                known[Key(part: line.part, person: line.person)] = zip(line.intervals, line.values).map {
                    CohortFigure(interval: $0, value: $1)
                }
            }
        } else {
            var line = try JSONEncoder().encode(heading)
            line.append(UInt8(ascii: "\n"))
            guard
                FileManager.default.createFile(atPath: url.path, contents: line, attributes: [.posixPermissions: 0o600])
            else {
                throw CohortError("The progress file “\(url.path)” can’t be written.")
            }
            length = line.count
        }
        self.known = known
        do {
            let handle = try FileHandle(forUpdating: url)
            try handle.truncate(atOffset: UInt64(length))
            try handle.seekToEnd()
            self.handle = Mutex(handle)
        } catch {
            throw CohortError("The progress file “\(url.path)” can’t be written.")
        }
    }

    /// Returns the figures of the people who were read before, by their index.
    func figures(ofPart part: Int) -> [Int: [CohortFigure]] {
        var figures: [Int: [CohortFigure]] = [:]
        for (key, value) in known where key.part == part { figures[key.person] = value }
        return figures
    }

    /// Appends what was read of a person.
    func append(_ figures: [CohortFigure], ofPerson person: Int, part: Int) throws {
        var line = try JSONEncoder().encode(
            Line(part: part, person: person, intervals: figures.map(\.interval), values: figures.map(\.value)))
        line.append(UInt8(ascii: "\n"))
        do {
            try handle.withLock { try $0.write(contentsOf: line) }
        } catch {
            throw CohortError("The progress file “\(url.path)” can’t be written.")
        }
    }

    func remove() throws {
        try handle.withLock { try $0.close() }
        try FileManager.default.removeItem(at: url)
    }
}

extension CohortRequest {
    /// A text that differs for requests whose figures differ. The minimum number of people and the quantiles don't
    /// count: they are applied to the figures at the end.
    fileprivate func fingerprint(people: [String], parts: Int) -> String {
        // The sentence would otherwise contain every person.
        let hash = FNV1a.hash(people.joined(separator: "\n").utf8)
        let range = "\(bounds[0])…\(bounds[bounds.count - 1])"
        return
            "\(type.identifier) \(figure.rawValue) \(unit) \(interval.rawValue) \(timeZone.identifier) \(range) \(parts) "
            + String(hash, radix: 16)
    }
}
