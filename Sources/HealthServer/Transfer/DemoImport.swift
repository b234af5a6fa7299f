import AppleHealthGenerator
import Foundation
import HealthAnswers
import HealthEngine
import HealthImport
import HealthStorage
import Hummingbird

/// `POST imports/demo`: the archive of a person who does not exist, generated and imported, so that a person with an
/// empty store can look around.
extension ImportsResource {
    /// About half a year of records.
    private static let demoRecords = 160_000

    /// Starts the import and answers like an upload. Only an empty store takes demo data, which could not be
    /// distinguished from a person's own afterwards.
    @Sendable func demo(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWritingOwner("add demo data")
        let calendar = try context.calendarOnly(of: request)
        let isEmpty = try await context.read { engine, caller in try engine.typeOverview(as: caller).isEmpty }
        guard isEmpty else {
            throw Problem(.conflict, "The store has data already. Demo data is only added to an empty store.")
        }
        let (jobs, person, pool, now, zone) = (jobs, context.person, context.pool, context.now, calendar.timeZone)
        let job = try await pool.run {
            let job = try jobs.create(
                UploadFile.Announcement(
                    length: nil, mirrors: false, acceptsAnyPerson: true, timeZone: zone.identifier,
                    name: "demo.zip", created: now.timeIntervalSinceReferenceDate), for: person)
            do {
                try Self.generate(job.upload.path, until: now, timeZone: zone)
                try job.complete()
            } catch {
                jobs.remove(job)
                throw error
            }
            jobs.start(job, into: person, pool: pool)
            return job
        }
        return try .json(job.status.status, status: .accepted)
    }

    /// Writes an archive as the latest iOS would, without its defects, in place of an upload.
    private static func generate(_ path: String, until now: Date, timeZone: TimeZone) throws {
        var options = GeneratorOptions(records: demoRecords, exportDate: now, timeZone: timeZone)
        options.dialect = ArchiveDialect("26")
        options.hasDefects = false
        let archive = path + ".zip"
        defer { unlink(archive) }
        try ArchiveGenerator(options: options).write(toPath: archive)
        guard rename(archive, path) == 0 else { throw StorageError(.unreachable, "The demo archive can’t be written.") }
    }
}
