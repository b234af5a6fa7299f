import AppleHealthExport
import Foundation
import HealthStorage
import Synchronization

/// The imports of a server: those that are being uploaded or are running, and the last ones that ended.
final class ImportJobs: Sendable {
    private let jobs = Mutex<[UUID: ImportJob]>([:])
    private static let maximumFinished = 50

    /// The job with an identifier, also one that a former run of the server created; `nil` if the person has none.
    /// Reads the disk.
    func job(_ id: UUID, of person: PersonStore) -> ImportJob? {
        if let known = jobs.withLock({ $0[id] }) { return known.store == person.path ? known : nil }
        guard let upload = UploadFile(id, in: Self.folder(of: person)) else { return nil }
        return jobs.withLock { jobs in
            if let known = jobs[id] { return known }
            let job = ImportJob(upload, store: person.path)
            jobs[id] = job
            return job
        }
    }

    /// Creates an upload. Removes those that nobody continued.
    func create(_ announcement: UploadFile.Announcement, for person: PersonStore) throws -> ImportJob {
        _ = try person.makeWorkFolder()
        let folder = Self.folder(of: person)
        UploadFile.removeExpired(
            in: folder, now: announcement.created, except: Set(jobs.withLock { $0.filter { $0.value.isActive }.keys }))
        let job = ImportJob(try UploadFile(creatingIn: folder, announcement: announcement), store: person.path)
        jobs.withLock { jobs in
            let finished = jobs.filter { $0.value.isFinished }
            if finished.count >= Self.maximumFinished, let oldest = finished.min(by: {
                $0.value.upload.announcement.created < $1.value.upload.announcement.created
            }) { jobs[oldest.key] = nil }
            jobs[job.upload.id] = job
        }
        return job
    }

    /// Removes an upload.
    func remove(_ job: ImportJob) {
        jobs.withLock { $0[job.upload.id] = nil }
        job.upload.remove()
    }

    /// The jobs of a person, the newest first.
    func all(of person: PersonStore) -> [ImportJob] {
        jobs.withLock { $0.values.filter { $0.store == person.path } }
            .sorted { $0.upload.announcement.created > $1.upload.announcement.created }
    }

    /// Imports the uploaded archive on a thread of the pool, and removes it.
    func run(_ job: ImportJob, into person: PersonStore, pool: StorePool) {
        Task {
            do {
                try await pool.runTransfer { Self.run(job, into: person) }
            } catch {
                job.fail(Problem(error).detail)
            }
        }
    }

    private static func run(_ job: ImportJob, into person: PersonStore) {
        let announcement = job.upload.announcement
        let options = ImportOptions(
            mirrors: announcement.mirrors, acceptsAnyPerson: announcement.acceptsAnyPerson,
            timeZone: announcement.timeZone)
        defer { job.upload.remove() }
        do {
            let report = try ArchiveImporter(engine: person.engine, options: options).run(path: job.upload.path) {
                job.show($0)
            }
            person.forgetTimeZone()
            job.finish(ImportJob.Answer(report, mirrors: announcement.mirrors))
        } catch let error as ImportError {
            // The error names the file, whose name means nothing to the person.
            let named = error.description.replacing(job.upload.path, with: "the upload")
            job.fail(named.replacing(URL(fileURLWithPath: job.upload.path).lastPathComponent, with: "the upload"))
        } catch {
            job.fail(Problem(error).detail)
        }
    }

    private static func folder(of person: PersonStore) -> String { person.workFolder + "/imports" }
}
