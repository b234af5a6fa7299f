public import Foundation
public import HealthKit

/// Fills a simulator or device with the samples of a file, and takes them away again.
///
/// `hk export person.seed` makes the file. Its lines are samples as a server gives them, and they are written as
/// ``HealthStoreSync`` writes what it receives: loading a file again adds nothing, and a later export of the same store
/// replaces what has changed.
///
/// ```swift
/// try await HealthSeeding.load(file, into: HKHealthStore())
/// ```
public enum HealthSeeding {
    /// The version of seeds that this library reads.
    static let version = 1
    /// The number of samples to save at once.
    private static let pageSize = 1_000

    private struct Header: Decodable {
        var format: String
        var version: Int
        var types: [String]
    }

    /// Says which types of a file can be written, and why the others can't.
    ///
    /// - Throws: ``SyncError`` `notASeed`; `CocoaError` if the file can't be read.
    public static func plan(of file: URL, in store: HKHealthStore) throws -> SyncPlan {
        SyncPlan(try header(of: lines(of: file)).types, in: store)
    }

    /// Asks the person for permission to write what a file contains, and writes it. HealthKit shows nothing for types that
    /// have been decided.
    ///
    /// - Throws: ``SyncError`` `notASeed`; `CocoaError` if the file can't be read; errors of HealthKit;
    ///   `CancellationError`. Loading the file again completes what was interrupted.
    @discardableResult
    public static func load(_ file: URL, into store: HKHealthStore) async throws -> SyncReceipt {
        let lines = try lines(of: file)
        let types = try header(of: lines).types
        try await SyncPlan(types, in: store).requestAuthorization(in: store)
        let plan = SyncPlan(types, in: store)
        let writer = SampleWriter(store: store, types: plan.types, origin: SyncCopy.seed)
        let decoder = SyncCoding.decoder()
        var receipt = SyncReceipt()
        receipt.leftOut = plan.leftOut
        var page: [ReceivedSample] = []
        for line in lines.dropFirst() {
            guard let sample = try? decoder.decode(ReceivedSample.self, from: line) else {
                receipt.unreadable += 1
                continue
            }
            page.append(sample)
            guard page.count == pageSize else { continue }
            try Task.checkCancellation()
            try await writer.write(page, base: 0, report: &receipt)
            page = []
        }
        try await writer.write(page, base: 0, report: &receipt)
        return receipt
    }

    /// Deletes the samples of all files that were loaded, and nothing else.
    ///
    /// - Returns: The number of samples that were deleted.
    /// - Throws: errors of HealthKit.
    @discardableResult
    public static func remove(from store: HKHealthStore) async throws -> Int {
        let types = SyncTypes.all.filter { SyncTypes.reasonNotToWrite($0) == nil }
        let writer = SampleWriter(store: store, types: types, origin: SyncCopy.seed)
        return try await writer.deleteAll(SyncCopy.predicate(forOrigin: SyncCopy.seed))
    }

    // MARK: Files

    private static func lines(of file: URL) throws -> [Data] {
        try Data(contentsOf: file, options: .mappedIfSafe).split(separator: UInt8(ascii: "\n"))
    }

    private static func header(of lines: [Data]) throws -> Header {
        guard let first = lines.first, let header = try? JSONDecoder().decode(Header.self, from: first),
            header.format == "openhealthkit.seed", header.version == version
        else {
            throw SyncError(
                .notASeed, "The file is not a seed of version \(version). Make one with “hk export person.seed”.")
        }
        return header
    }
}
