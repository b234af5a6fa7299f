import Foundation
import Logging
import ServiceLifecycle

/// What a server does beside requests: writes the audit log, records when tokens were used, closes unused stores.
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
                let (core, isMinute) = (core, round % 30 == 0)
                try? await core.pool.run { core.tidy(isMinute: isMinute) }
            }
        }
    }
}

extension ServerCore {
    /// Writes what is kept in memory, and each minute closes stores that nobody uses.
    func tidy(isMinute: Bool) {
        do {
            try audit.flush()
            if isMinute { try registry.flush() }
        } catch {
            logger.error("Writing failed", metadata: ["error": "\(SafeErrorText.text(error))"])
        }
        if isMinute { directory.closeUnused(for: configuration.limits.storeIdleSeconds) }
    }

    /// Completes and closes everything after the last request.
    func close() async {
        try? await pool.run { [self] in tidy(isMinute: true) }
        await pool.shutdown()
        directory.close()
    }
}
