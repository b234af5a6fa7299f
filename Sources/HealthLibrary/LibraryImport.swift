import AppleHealthExport
import COpenHealthKit
import Foundation
import HealthAnswers
import HealthArrow
import HealthIngest
import HealthEngine
import HealthJSON
import Synchronization

/// The function of a caller that observes an import, with its context.
// Unchecked: the header says that the function is called on any thread, and the context is only passed on.
struct ImportObserver: @unchecked Sendable {
    let progress: OHKProgress?
    let context: UnsafeMutableRawPointer?

    /// Reports progress, and returns whether to continue.
    func report(_ progress: ImportProgress) -> Bool {
        guard let function = self.progress else { return true }
        return function(
            Int64(progress.bytesRead), progress.bytesTotal.map { Int64($0) } ?? -1, Int64(progress.records), context)
            == 0
    }
}

/// An import of an archive or of FIT files.
struct LibraryImport {
    /// The options, with the names of those of `hk import`.
    private struct Options: Decodable {
        var path: String
        var mirror: Bool?
        var anyPerson: Bool?
        var trustSize: Bool?
        var recover: Bool?
        var timeZone: String?
    }

    private let path: String
    private var options = ImportOptions()
    private let archive: ArchiveOptions
    private let observer: ImportObserver

    /// - Throws: ``ParameterError`` for invalid options.
    init(_ json: [UInt8], _ observer: ImportObserver) throws {
        let given = try LibraryOptions.decode(Options.self, json)
        (path, self.observer) = (given.path, observer)
        archive = ArchiveOptions(mirrors: given.mirror ?? false, acceptsAnyPerson: given.anyPerson ?? false)
        options.trustsSize = given.trustSize ?? false
        options.recoversDamagedArchives = given.recover ?? false
        options.timeZone = try given.timeZone.map(QueryParameters.timeZone)?.identifier
    }

    /// Imports, and returns the report as JSON.
    func run(_ engine: HealthEngine) throws -> [UInt8] {
        let cancellation = ImportCancellation()
        let isCanceled: @Sendable () -> Bool = { cancellation.isRequested }
        let progress: @Sendable (ImportProgress) -> Void = { [observer] in
            if !observer.report($0) { cancellation.request() }
        }
        let report = try FileImport.run(
            path: path, options: options, archive: archive, isInterrupted: isCanceled, progress: progress,
            opening: { engine })
        var json = JSONText()
        json.object { json in
            json.member("added", integer: report.addedCount)
            json.member("alreadyThere", integer: report.alreadyThereCount)
            json.member("removed", integer: report.removedCount)
            json.member("skipped", integer: report.skippedCount)
            json.member("seconds", number: report.seconds)
            json.object("types") { json in
                for (type, count) in report.added.sorted(by: { $0.key < $1.key }) { json.member(type, integer: count) }
            }
        }
        return json.bytes
    }
}

/// Whether an import is to end.
private final class ImportCancellation: Sendable {
    private let flag = Atomic(false)

    var isRequested: Bool { flag.load(ordering: .relaxed) }

    func request() { flag.store(true, ordering: .relaxed) }
}
