import AppleHealthExport
import Foundation
import HealthFiles
import HealthIngest
import HealthEngine
import HealthStorage
import Synchronization

/// The imports of a server: those that are being uploaded or are running, and the last ones that ended.
final class ImportJobs: Sendable {
    private let jobs = Mutex<[UUID: ImportJob]>([:])
    /// The last import of each store that was started and hasn't ended, by the store's path.
    private let last = Mutex<[String: (number: Int, task: Task<Void, Never>)]>([:])
    /// Whether the server ends.
    private let isEnding = Atomic<Bool>(false)
    private static let maximumFinished = 50

    /// Makes running imports end soon. The next run of the server begins again with them.
    func end() { isEnding.store(true, ordering: .relaxed) }

    /// The job with an identifier, also one that a previous run of the server created; `nil` if the person has none.
    /// Reads the disk.
    func job(_ id: UUID, of person: PersonStore) -> ImportJob? {
        if let known = jobs.withLock({ $0[id] }) { return known.store == person.path ? known : nil }
        guard let upload = UploadFile(id, in: Self.folder(in: person.workFolder)) else { return nil }
        // A person of the same name had another store.
        if let store = upload.announcement.store, store != person.engine.identity().uuid {
            upload.remove()
            return nil
        }
        return jobs.withLock { jobs in
            if let known = jobs[id] { return known }
            let job = ImportJob(upload, store: person.path)
            jobs[id] = job
            return job
        }
    }

    /// Creates an upload. Removes abandoned ones.
    func create(_ announcement: UploadFile.Announcement, for person: PersonStore) throws -> ImportJob {
        let workFolder = try person.makeWorkFolder()
        removeExpired(in: [workFolder], now: announcement.created)
        var announcement = announcement
        announcement.store = person.engine.identity().uuid
        let job = ImportJob(
            try UploadFile(creatingIn: Self.folder(in: workFolder), announcement: announcement), store: person.path)
        jobs.withLock { jobs in
            let finished = jobs.filter { $0.value.isFinished }
            if finished.count >= Self.maximumFinished,
                let oldest = finished.min(by: {
                    $0.value.upload.announcement.created < $1.value.upload.announcement.created
                })
            {
                jobs[oldest.key] = nil
            }
            jobs[job.upload.id] = job
        }
        return job
    }

    /// Removes an upload.
    func remove(_ job: ImportJob) {
        jobs.withLock { $0[job.upload.id] = nil }
        job.upload.remove()
    }

    /// Removes abandoned uploads, also those of previous runs of the server. Reads the
    /// disk.
    func removeExpired(in workFolders: [String], now: Double) {
        for workFolder in workFolders { UploadFile.removeExpired(in: Self.folder(in: workFolder), now: now) }
        let idle = jobs.withLock { jobs in jobs.values.filter { !$0.isActive && !$0.isFinished } }
        let gone = idle.filter { !$0.upload.exists }
        jobs.withLock { jobs in
            for job in gone { jobs[job.upload.id] = nil }
        }
    }

    /// The jobs of a person, the newest first.
    func all(of person: PersonStore) -> [ImportJob] {
        jobs.withLock { $0.values.filter { $0.store == person.path } }
            .sorted { $0.upload.announcement.created > $1.upload.announcement.created }
    }

    // MARK: Importing

    /// Whether a person's work folder has archives that wait to be imported. Reads the disk.
    static func hasWaiting(in workFolder: String) -> Bool {
        UploadFile.all(in: folder(in: workFolder)).contains {
            $0.isWhole && !$0.isGivenUp && $0.announcement.refusal == nil
        }
    }

    /// Loads the person's uploads of previous runs of the server, and imports those that are complete: that was
    /// promised to their senders. Reads the disk.
    ///
    /// - Parameter retries: Whether an import that the store couldn't take is tried again. Later ones wait for it.
    func resume(_ person: PersonStore, pool: StorePool, retries: Bool) {
        for upload in UploadFile.all(in: Self.folder(in: person.workFolder)) {
            guard let job = job(upload.id, of: person) else { continue }
            if job.isPostponed, !retries { return }
            start(job, into: person, pool: pool)
        }
    }

    /// The earliest import of a store before another one that waits until the store can be used again.
    private func postponed(before job: ImportJob) -> ImportJob? {
        jobs.withLock { jobs in
            jobs.values.first {
                $0.store == job.store && $0.isPostponed
                    && $0.upload.announcement.created < job.upload.announcement.created
            }
        }
    }

    /// Imports an upload on a thread of the pool and removes it, if it is complete and not being imported yet. Archives
    /// of one person are imported sequentially, in the order of these calls. Reads the disk.
    func start(_ job: ImportJob, into person: PersonStore, pool: StorePool) {
        guard job.begin() else { return }
        guard !job.upload.isGivenUp else {
            return job.fail(
                "The server ended \(UploadFile.maximumAttempts) times while it imported the archive, which isn’t tried again."
            )
        }
        last.withLock { last in
            let (former, number) = (last[job.store]?.task, (last[job.store]?.number ?? 0) + 1)
            let task = Task {
                await former?.value
                if let earlier = self.postponed(before: job) {
                    job.postpone(earlier.status.status.error ?? "An earlier archive waits for the store.")
                } else {
                    do {
                        try await pool.runTransfer(isLimited: false) { self.run(job, into: person) }
                    } catch {
                        // The server ends before its turn has come. The next one finds the upload.
                        job.interrupt()
                    }
                }
                self.last.withLock { last in
                    if last[job.store]?.number == number { last[job.store] = nil }
                }
            }
            last[job.store] = (number, task)
        }
    }

    private func run(_ job: ImportJob, into person: PersonStore) {
        guard job.upload.exists else { return job.fail("The upload is gone.") }
        let announcement = job.upload.stored
        var options = ImportOptions(timeZone: announcement.timeZone)
        options.keepsCopies = announcement.keepsCopies ?? false
        options.activity = announcement.activity
        options.recoversDamagedArchives = announcement.recovers ?? false
        func reason(_ error: any Error) -> String {
            (error as? ImportError).map { Self.text(of: $0, job) } ?? Problem(error).detail
        }
        var isListed = false
        let outcome: Result<ImportReport, any Error> = Result {
            if job.isCanceled { throw CancellationError() }
            try job.recordAttempt(begins: true)
            return try FileImport.run(
                path: job.upload.path, name: job.name, options: options,
                archive: .init(mirrors: announcement.mirrors, acceptsAnyPerson: announcement.acceptsAnyPerson),
                isInterrupted: { job.isCanceled || self.isEnding.load(ordering: .relaxed) },
                progress: { job.show($0) },
                failure: { error in
                    isListed = true
                    return reason(error)
                }, opening: { person.engine })
        }
        if case .failure(let error) = outcome, error is InterruptedImport || error is CancellationError {
            guard job.isCanceled else {
                try? job.recordAttempt(begins: false)
                return job.interrupt()
            }
            job.upload.remove()
            return job.fail("The import was canceled.")
        }
        if case .failure(let error as StorageError) = outcome {
            try? job.recordAttempt(begins: false)
            // The archive was accepted, and is imported when the store can be used again; if that has to be repaired
            // first, by the next run of the server.
            return error.kind.isPassing ? job.postpone(Problem(error).detail) : job.fail(Problem(error).detail)
        }
        let problem =
            if case .failure(let error as ImportError) = outcome { ImportProblem(error) } else { nil as ImportProblem? }
        if case .failure(let error as ImportError) = outcome, let problem, let remedy = problem.remedy(of: announcement)
        {
            // The upload stays for the person's decision, so that gigabytes aren't sent twice.
            let refusal = UploadFile.Refusal(error: Self.text(of: error, job), problem: problem, remedy: remedy)
            if (try? job.refuse(refusal, at: person.engine.configuration.now())) != nil { return }
        }
        // Before the client is notified of the end, so that a server that starts afterwards doesn't import it again.
        job.upload.remove()
        switch outcome {
        case .success(let report):
            person.forgetTimeZone()
            job.finish(ImportJob.Answer(report, mirrors: announcement.mirrors))
        case .failure(let error):
            let reason = reason(error)
            // The history is for the person to look up. Without it, the reason is still the answer.
            if !isListed {
                try? person.engine.imports.add(
                    ImportRecord(date: person.engine.configuration.now(), file: job.name, failure: reason))
            }
            job.fail(reason, problem)
        }
    }

    /// An error for people, with the file's own name.
    private static func text(of error: ImportError, _ job: ImportJob) -> String {
        error.statement.replacing(job.upload.path, with: job.name)
            .replacing(URL(fileURLWithPath: job.upload.path).lastPathComponent, with: job.name)
    }

    private static func folder(in workFolder: String) -> String { workFolder + "/imports" }
}
