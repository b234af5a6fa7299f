import ArgumentParser
import Dispatch
import Foundation
import Synchronization

/// Lets a command put things in order when it is interrupted: by Control-C, by the system, or because its terminal was
/// closed.
///
/// Where a command can't stop by itself, what it has begun is removed, and the process ends. While the interruption is
/// awaited, the command looks at ``isRequested`` and stops; a second signal ends the process.
// Unchecked: the sources are activated and canceled, which any thread may do.
final class InterruptHandler: @unchecked Sendable {
    private struct State {
        var isAwaited = false
        /// The signal that was received.
        var signal: Int32?
    }

    /// The signals that end a process, without those that it was started to ignore, as by `nohup`.
    static let signals = [SIGINT, SIGTERM, SIGHUP].filter { number in
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            != unsafeBitCast(SIG_IGN, to: Int.self)
    }
    /// Whether a signal is ending the process.
    private static let isEnding = Mutex(false)
    private let state = Mutex(State())
    private let sources: [any DispatchSourceSignal]

    /// - Parameter remove: Removes what was begun, before the process ends.
    init(_ remove: @escaping @Sendable () -> Void) {
        sources = Self.signals.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for (number, source) in zip(Self.signals, sources) {
            signal(number, SIG_IGN)
            source.setEventHandler { [weak self] in
                guard let self else { return }
                let isAwaited = self.state.withLock { state in
                    state.signal = number
                    return state.isAwaited
                }
                signal(number, SIG_DFL)
                guard !isAwaited else { return }
                Self.isEnding.withLock { $0 = true }
                remove()
                Self.end(by: number)
            }
            source.activate()
        }
    }

    /// Whether the command stops by itself.
    var isAwaited: Bool {
        get { state.withLock { $0.isAwaited } }
        set { state.withLock { $0.isAwaited = newValue } }
    }

    var isRequested: Bool { state.withLock { $0.signal != nil } }

    /// The exit status of a command that stopped for a signal, as shells give it.
    var exitCode: ExitCode { ExitCode(128 + state.withLock { $0.signal ?? SIGINT }) }

    /// If a signal is ending the process, waits for that: that the command misses what is being removed isn't an error.
    static func waitForEnd() {
        guard isEnding.withLock({ $0 }) else { return }
        while true { pause() }
    }

    /// Ends the process by a signal that has its default action.
    ///
    /// Sent to the process while all of its threads block it, the signal would be one more for Dispatch's source.
    static func end(by number: Int32) -> Never {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // Not reached: the default action ends the process.
        _exit(128 + number)
    }

    /// Lets signals end the process again.
    func end() {
        for (number, source) in zip(Self.signals, sources) {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}
