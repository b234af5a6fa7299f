import Foundation
import HealthCohort
import HealthModel
import Synchronization
import Testing

@Suite("Progress of cohorts")
final class CohortProgressTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "CohortProgressTests-\(UUID().uuidString)")
    private var file: URL { folder.appending(path: "progress") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func people(_ count: Int = 20) throws -> CohortPeople {
        try CohortPeople(count) { person in
            let samples = try (0..<14).map { (day: Int) -> SampleRecord in
                let value = Double(1_000 + 7 * person + day) + 0.1
                return try .steps(value, from: 725_760_000 + Double(day) * 86_400, for: 600)
            }
            return [("org.example.phone", samples)]
        }
    }

    private func request(days: Double = 14, quantiles: [Double] = [0.5]) throws -> CohortRequest {
        let start = Date(timeIntervalSinceReferenceDate: 725_760_000)
        return try CohortRequest(
            type: #require(CohortPeople.steps), interval: .day, range: start..<start.addingTimeInterval(days * 86_400),
            timeZone: #require(TimeZone(identifier: "UTC")), quantiles: quantiles)
    }

    private func run(_ people: CohortPeople, _ request: CohortRequest) -> CohortRun {
        var run = CohortRun(request, people: people.names, stores: people)
        run.workers = 2
        run.maximumFigures = 20 * 5
        run.progressFile = file
        return run
    }

    @Test(
        "A run that was interrupted anywhere continues from there and gives the same answer",
        arguments: [1, 7, 20, 33, 59])
    func interruption(after limit: Int) throws {
        let people = try people()
        let expected = try CohortRun(request(), people: people.names, stores: people).answer()
        let before = people.openingCount
        #expect(throws: CancellationError.self) { try run(people, request()).answer { done, _ in done < limit } }
        #expect(FileManager.default.fileExists(atPath: file.path))
        let permissions = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        let read = people.openingCount - before
        #expect(read >= limit)

        // What a kill cuts off.
        let handle = try FileHandle(forUpdating: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(#"{"part":2,"person":3,"inter"#.utf8))
        try handle.close()

        #expect(try run(people, request()).answer() == expected)
        // 14 days in parts of 5: three parts of 20 people.
        #expect(people.openingCount - before == 60)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("Progress is reported for every person of every part")
    func reports() throws {
        let people = try people()
        let reports = Mutex<[Int]>([])
        _ = try run(people, request()).answer { done, total in
            #expect(total == 60)
            reports.withLock { $0.append(done) }
            return true
        }
        #expect(reports.withLock { $0 } == Array(1...60))
    }

    @Test("The file of another request is refused and kept; quantiles may change")
    func otherRequest() throws {
        let people = try people()
        #expect(throws: CancellationError.self) { try run(people, request()).answer { done, _ in done < 5 } }
        #expect(throws: CohortError.self) { try run(people, request(days: 13)).answer() }
        #expect(try run(people, request(quantiles: [0.2, 0.4])).answer().rows.first?.quantiles.count == 2)
        try Data("something else\n".utf8).write(to: file)
        #expect(throws: CohortError.self) { try run(people, request()).answer() }
        #expect(try Data(contentsOf: file) == Data("something else\n".utf8))
    }

    @Test("A file that can't be written is an error")
    func unwritable() throws {
        let people = try people(1)
        var run = try CohortRun(request(), people: people.names, stores: people)
        run.progressFile = folder.appending(path: "missing/progress")
        #expect(throws: CohortError.self) { try run.answer() }
    }
}
