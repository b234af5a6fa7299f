import AppleHealthExport
import Foundation
import HTTPTypes
import Synchronization

/// One import over HTTP: its upload, then its progress, then its report. Streams of events wait for changes.
final class ImportJob: Sendable {
    /// The phase of an import.
    enum Phase: String, Sendable {
        case uploading, waiting, importing, finishing, done, failed
    }

    /// The state as clients see it.
    struct Status: Encodable, Sendable {
        var id: String
        /// The file's own name, if the client gave it.
        var name: String?
        var state: String
        /// The number of bytes received, and the announced size.
        var offset: Int
        var length: Int?
        /// The number of bytes of the archive's main file read, of all its bytes, and the number of records.
        var bytesRead: Int?
        var bytesTotal: Int?
        var records: Int?
        var report: Answer?
        /// Why the import failed, in a sentence.
        var error: String?
        /// The same by its kind.
        var problem: ImportProblem?
        /// The person's decision with which it is done nevertheless.
        var remedy: ImportProblem.Remedy?
    }

    /// The report, like that of `hk import --json`, with what was skipped.
    struct Answer: Encodable, Sendable {
        var added: Int
        var alreadyThere: Int
        var removed: Int?
        var skipped: Int
        var seconds: Double
        /// Whether the archive is the last one imported and was not read again.
        var known: Bool
        /// The number added, by type identifier.
        var types: [String: Int]
        var skips: [ImportReport.Skip]
        var irregularities: [String: Int]
        /// The files that were not read, by the reason.
        var unread: [ImportReport.UnreadFiles]
        /// Sentences about the import as a whole, such as the time zone in which days begin.
        var remarks: [String]

        init(_ report: ImportReport, mirrors: Bool) {
            added = report.addedCount
            alreadyThere = report.alreadyThereCount
            removed = mirrors ? report.removedCount : nil
            skipped = report.skippedCount
            seconds = (report.seconds * 1_000).rounded() / 1_000
            known = report.isKnown
            types = report.added
            skips = report.skips
            irregularities = report.irregularities
            unread = report.unread
            remarks = report.remarks
        }
    }

    private struct State {
        var phase = Phase.uploading
        var offset: Int
        /// The announced size; `nil` until the end of an upload whose size wasn't.
        var length: Int?
        var isReceiving = false
        /// Held while bytes are received and from the end of the upload on, against other servers over the same folder.
        var lock: FileLock?
        /// Whether the import waits until the store can be used again.
        var isPostponed = false
        /// Whether the person has canceled the import, which ends it soon.
        var isCanceled = false
        /// Whether the announcement on the disk counts the attempt of this process.
        var isAttemptRecorded = false
        var progress: ImportProgress?
        var answer: Answer?
        var error: String?
        var problem: ImportProblem?
        var remedy: ImportProblem.Remedy?
        /// Counts changes, for streams.
        var version = 0
        var waiting: [UUID: CheckedContinuation<Void, Never>] = [:]

        mutating func refuse(_ refusal: UploadFile.Refusal) {
            (phase, error, problem, remedy) = (.failed, refusal.error, refusal.problem, refusal.remedy)
        }

        /// Whether everything has been received, and the import hasn't begun.
        var isWhole: Bool { (phase == .uploading || isPostponed) && !isReceiving && length == offset }
    }

    let upload: UploadFile
    /// The path of the person's store.
    let store: String
    private let state: Mutex<State>

    init(_ upload: UploadFile, store: String) {
        self.upload = upload
        self.store = store
        var initial = State(offset: upload.offset, length: upload.announcement.length)
        if let refusal = upload.announcement.refusal { initial.refuse(refusal) }
        state = Mutex(initial)
    }

    /// The file's own name, for messages.
    var name: String { upload.announcement.name ?? "the upload" }

    var phase: Phase { state.withLock { $0.phase } }
    var offset: Int { state.withLock { $0.offset } }
    /// The size of the archive, if it is known.
    var length: Int? { state.withLock { $0.length } }
    /// Whether bytes are being received, or the archive waits to be imported or is.
    var isActive: Bool {
        state.withLock { $0.isReceiving || [.waiting, .importing, .finishing].contains($0.phase) && !$0.isPostponed }
    }
    var isFinished: Bool { phase == .done || phase == .failed }
    /// Whether the import waits until the store can be used again.
    var isPostponed: Bool { state.withLock { $0.isPostponed } }
    /// Whether the person has canceled the import.
    var isCanceled: Bool { state.withLock { $0.isCanceled } }
    /// Whether the upload isn't being imported, so that it may be removed.
    var isRemovable: Bool { state.withLock { [.uploading, .done, .failed].contains($0.phase) || $0.isPostponed } }

    /// The state, and its version.
    var status: (status: Status, version: Int) {
        state.withLock { state in
            (
                Status(
                    id: upload.id.uuidString.lowercased(), name: upload.announcement.name,
                    state: state.phase.rawValue, offset: state.offset, length: state.length,
                    bytesRead: state.progress?.bytesRead, bytesTotal: state.progress?.bytesTotal,
                    records: state.progress?.records, report: state.answer, error: state.error,
                    problem: state.problem, remedy: state.remedy),
                state.version
            )
        }
    }

    // MARK: Uploading

    /// Begins to receive at an offset, one request at a time. Opens the file, so it must run on the pool.
    ///
    /// - Throws: ``Problem`` `conflict` if the offset isn't the number of bytes received, while another request
    ///   uploads, and after the upload is complete; `notFound` if it has been removed.
    func beginReceiving(at offset: Int) throws {
        let lock = FileLock(upload.path)
        let isGone = lock == nil && !upload.exists
        try state.withLock { state in
            guard state.phase == .uploading else {
                throw Problem(.conflict, "The upload is complete.", headers: [.uploadOffset: String(state.offset)])
            }
            guard !isGone else { throw Problem(.notFound, "Import not found.") }
            guard !state.isReceiving, let lock else {
                throw Problem(
                    .conflict, "Another request is uploading. Repeat the request.", headers: [.retryAfter: "1"])
            }
            guard offset == state.offset else {
                throw Problem(
                    .conflict, "Upload-Offset is \(offset), but \(state.offset) bytes were received.",
                    headers: [.uploadOffset: String(state.offset)])
            }
            state.isReceiving = true
            state.lock = lock
        }
    }

    func received(_ count: Int) {
        change { $0.offset += count }
    }

    func endReceiving() {
        state.withLock { state in
            state.isReceiving = false
            state.lock = nil
        }
    }

    /// Records that what was received is the whole archive; see ``UploadFile/complete(length:)``.
    ///
    /// - Throws: `StorageError`.
    func complete() throws {
        let length = upload.offset
        try upload.complete(length: length)
        change { state in
            state.offset = length
            state.length = length
        }
    }

    // MARK: Importing

    /// Returns whether the caller is to start the import: if the upload is complete and not being imported yet, here or
    /// in another server. Opens the file, so it must run on the pool.
    func begin() -> Bool {
        guard state.withLock({ $0.isWhole }), let lock = FileLock(upload.path) else { return false }
        var isFirst = false
        change { state in
            isFirst = state.isWhole
            guard isFirst else { return }
            state.phase = .waiting
            state.isPostponed = false
            state.error = nil
            state.lock = lock
        }
        return isFirst
    }

    /// Records on the disk that the import is attempted, or that the attempt has ended.
    ///
    /// - Throws: `StorageError`.
    func recordAttempt(begins: Bool) throws {
        guard state.withLock({ $0.isAttemptRecorded }) != begins else { return }
        try upload.recordAttempt(begins: begins)
        state.withLock { $0.isAttemptRecorded = begins }
    }

    /// Leaves an import that the store couldn't take to a later ``begin()``.
    func postpone(_ reason: String) {
        change { state in
            state.phase = .waiting
            state.isPostponed = true
            state.error = reason
            state.lock = nil
        }
    }

    /// Cancels an import that waits or runs. What it has added stays.
    func cancel() {
        change { $0.isCanceled = true }
    }

    /// Leaves an import that didn't begin, or didn't end, to another server.
    func interrupt() {
        state.withLock { $0.lock = nil }
    }

    func show(_ progress: ImportProgress) {
        change { state in
            state.progress = progress
            state.phase =
                switch progress.phase {
                case .waiting: .waiting
                case .reading: .importing
                case .finishing: .finishing
                }
        }
    }

    func finish(_ answer: Answer) {
        change { state in
            state.answer = answer
            state.phase = .done
            state.lock = nil
        }
    }

    func fail(_ error: String, _ problem: ImportProblem? = nil) {
        change { state in
            (state.error, state.problem) = (error, problem)
            state.phase = .failed
            state.lock = nil
        }
    }

    /// Ends an import with a question to the person, whose answer ``accept(_:)`` takes.
    ///
    /// - Throws: `StorageError`.
    func refuse(_ refusal: UploadFile.Refusal, at time: Double) throws {
        try upload.refuse(refusal, at: time)
        change { state in
            state.refuse(refusal)
            state.lock = nil
        }
    }

    /// Lets a refused import begin once more, as the person has decided.
    ///
    /// - Throws: ``Problem`` `conflict` if it wasn't refused; `StorageError`.
    func accept(_ remedies: Set<ImportProblem.Remedy>) throws {
        guard state.withLock({ $0.phase == .failed && $0.remedy != nil }) else {
            throw Problem(.conflict, "Only an import that has failed with a “remedy” can be repeated.")
        }
        try upload.accept(remedies)
        change { state in
            guard state.phase == .failed else { return }
            (state.phase, state.error, state.problem, state.remedy) = (.uploading, nil, nil, nil)
            state.progress = nil
            state.isAttemptRecorded = false
        }
    }

    // MARK: Waiting for changes

    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            state.version += 1
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Lets all who wait for a change look again.
    func wake() { change { _ in } }

    /// Waits until the state is newer than a version, or the task is canceled.
    func waitForChange(after version: Int) async {
        let key = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.version <= version, !Task.isCancelled else { return true }
                    state.waiting[key] = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: key) }?.resume()
        }
    }
}
