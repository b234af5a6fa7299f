import Foundation
import HealthAccess
import Logging
import ServiceLifecycle

/// A server's work beside requests: continues imports of its previous run, writes the audit log, records when
/// tokens were used, closes unused stores, removes what is no longer needed.
struct Housekeeping: Service {
    let core: ServerCore

    /// Runs until the server shuts down.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            var round = 0
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: .seconds(2))
                } catch {
                    break
                }
                round += 1
                let (core, isMinute, isHour) = (core, round % 30 == 0, round % 1_800 == 1)
                try? await core.pool.run { core.tidy(isMinute: isMinute, isHour: isHour) }
                // At first when the server has its address, and again for what couldn't be started then.
                if isMinute || round == 1 { await core.resume() }
            }
        }
        core.imports.end()
    }
}

extension ServerCore {
    /// Imports the archives that were received completely and aren't imported yet, such as those of a previous run of
    /// the server.
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

    /// Removes abandoned uploads and what is left of interrupted exports, which contain health data in the
    /// clear.
    private func removeLeftovers() {
        let location = configuration.location
        let folders = location.localPeople.map { location.workFolder(of: $0) }
        for folder in folders { ExportFolder.removeInterrupted(in: folder) }
        imports.removeExpired(in: folders, now: now().timeIntervalSinceReferenceDate)
    }

    /// Writes what is kept in memory; each minute closes unused stores, and each hour removes leftovers.
    func tidy(isMinute: Bool, isHour: Bool = false) {
        // One that fails, as on a full disk, doesn't keep the others from being done.
        func attempt(_ work: () throws -> Void) {
            do {
                try work()
            } catch {
                logger.error("Writing failed", metadata: ["error": "\(SafeErrorText.text(error))"])
            }
        }
        attempt { try audit.flush() }
        attempt {
            // Sessions and tokens that ended in another program.
            let senders = streams.identities
            for gone in senders.subtracting(try registry.valid(senders)) { streams.end(of: gone) }
        }
        if isMinute { attempt { try registry.flush() } }
        if isHour { removeLeftovers() }
        if isMinute {
            directory.closeUnused(for: configuration.limits.storeIdleSeconds)
            demos.removeUnused(for: configuration.limits.storeIdleSeconds)
        }
    }

    /// Completes and closes everything after the last request.
    func close() async {
        imports.end()
        try? await pool.run { [self] in tidy(isMinute: true) }
        await pool.shutdown()
        directory.close()
        demos.removeUnused(for: 0)
    }
}
