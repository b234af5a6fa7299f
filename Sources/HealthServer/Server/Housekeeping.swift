import Foundation
import Logging
import ServiceLifecycle

/// What a server does beside requests: goes on with imports of its former run, writes the audit log, records when
/// tokens were used, closes unused stores, removes what nobody needs any more.
struct Housekeeping: Service {
    let core: ServerCore

    /// Runs until the server shuts down.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            var (round, requests, isTrimmed) = (0, 0, true)
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: .seconds(2))
                } catch {
                    break
                }
                round += 1
                // What a burst of requests took is given back once it is over.
                let isBusy = core.metrics.startedRequests != requests || core.metrics.activeRequests > 0
                let trims = !isBusy && !isTrimmed
                (requests, isTrimmed) = (core.metrics.startedRequests, !isBusy)
                let (core, isMinute, isHour) = (core, round % 30 == 0, round % 1_800 == 1)
                try? await core.pool.run {
                    core.tidy(isMinute: isMinute, isHour: isHour)
                    if trims { Heap.trim() }
                }
                // At first when the server has its address, and again for what couldn't be started then.
                if isMinute || round == 1 { await core.resume() }
            }
        }
    }
}

/// The memory that the process keeps for later allocations.
enum Heap {
    /// Keeps the GNU C library from giving nearly every thread a heap of its own, whose free memory no other thread
    /// uses. Two are enough: the threads of a server mostly wait, for the disk or for each other.
    static func limit() {
        guard let function = dlsym(nil, "mallopt") else { return }
        // M_ARENA_MAX of <malloc.h>.
        _ = unsafeBitCast(function, to: (@convention(c) (Int32, Int32) -> Int32).self)(-8, 2)
    }

    /// `malloc_trim` of the GNU C library, where the process has it. Without, freed memory stays with the process.
    private static let function = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }

    /// Returns freed memory to the system.
    static func trim() {
        _ = function?(0)
    }
}

extension ServerCore {
    /// Imports the archives that were received whole and aren't imported yet, as those of a former run of the server,
    /// whoever uses their people's stores.
    func resume() async {
        let location = configuration.location
        let people = (try? await pool.run { location.localPeople }) ?? []
        for person in people where !Task.isCancelled {
            try? await pool.run { [self] in
                guard ImportJobs.hasWaiting(in: location.workFolder(of: person)) else { return }
                do {
                    imports.resume(try directory.store(of: person), pool: pool, retries: true)
                } catch {
                    logger.error("Uploads can’t be imported", metadata: ["error": "\(SafeErrorText.text(error))"])
                }
            }
        }
    }

    /// Removes uploads that nobody continued and what is left of interrupted exports, which contain health data in the
    /// clear.
    private func removeLeftovers() {
        let location = configuration.location
        let folders = location.localPeople.map { location.workFolder(of: $0) }
        for folder in folders { ExportFolder.removeInterrupted(in: folder) }
        imports.removeExpired(in: folders, now: now().timeIntervalSinceReferenceDate)
    }

    /// Writes what is kept in memory; each minute closes stores that nobody uses, and each hour removes leftovers.
    func tidy(isMinute: Bool, isHour: Bool = false) {
        do {
            try audit.flush()
            if isMinute { try registry.flush() }
        } catch {
            logger.error("Writing failed", metadata: ["error": "\(SafeErrorText.text(error))"])
        }
        if isHour { removeLeftovers() }
        if isMinute { directory.closeUnused(for: configuration.limits.storeIdleSeconds) }
    }

    /// Completes and closes everything after the last request.
    func close() async {
        try? await pool.run { [self] in tidy(isMinute: true) }
        await pool.shutdown()
        directory.close()
    }
}
