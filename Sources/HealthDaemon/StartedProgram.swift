import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A program that a daemon started, in a process group of its own.
final class StartedProgram: Sendable {
    /// The delivery for which it was started.
    let delivery: UUID
    /// The file that receives what it prints.
    let output: String
    private let process: pid_t

    private struct State {
        var isReaped = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Starts a program whose standard input is empty. It doesn't inherit files of the daemon.
    ///
    /// - Throws: ``DaemonError`` if it can't be started.
    init(path: String, arguments: [String], environment: [String: String], output: borrowing ProgramOutput, delivery: UUID) throws {
        self.delivery = delivery
        self.output = output.path
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.descriptor, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.descriptor, STDERR_FILENO)
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        Self.keepFilesFromPrograms()
        var process = pid_t()
        let status = posix_spawn(&process, path, &actions, &attributes, words, variables)
        guard status == 0 else {
            throw DaemonError("The program \(path) can’t be started: \(String(cString: strerror(status)))")
        }
        self.process = process
    }

    /// Lets every open file of this process be closed in programs that it starts. Libraries don't do that for all sockets.
    private static func keepFilesFromPrograms() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Calls a handler on another thread when the program has ended, with words that describe how.
    func wait(_ handler: @escaping @Sendable (String) -> Void) {
        let thread = Thread { [self] in
            var information = siginfo_t()
            // The process is kept until it is marked as reaped, so that its number isn't given to another one before.
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            var status: Int32 = 0
            let waiting = state.withLock { state in
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                defer { state.waiting = [] }
                state.isReaped = true
                return state.waiting
            }
            handler(Self.words(for: status))
            for continuation in waiting { continuation.resume() }
        }
        thread.start()
    }

    private static func words(for status: Int32) -> String {
        let signal = status & 0x7F
        return signal == 0 ? "with status \((status >> 8) & 0xFF)" : "by signal \(signal)"
    }

    /// Returns when the program has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isReaped = state.withLock { state in
                if !state.isReaped { state.waiting.append(continuation) }
                return state.isReaped
            }
            if isReaped { continuation.resume() }
        }
    }

    /// Asks the program and those it started to end, and kills them five seconds later.
    func terminate() {
        signal(SIGTERM)
        DispatchQueue.global().asyncAfter(deadline: .now() + 5) { self.signal(SIGKILL) }
    }

    private func signal(_ number: Int32) {
        state.withLock { state in
            if !state.isReaped { _ = kill(-process, number) }
        }
    }
}

/// The file with what the program of an application prints. It is readable by its owner only, because a daemon's log must
/// not contain health data, and begins anew with each start.
///
/// The file is locked as long as the program has it open, even after the daemon has ended.
struct ProgramOutput: ~Copyable {
    let path: String
    let descriptor: Int32

    /// Opens the file; `nil` if a program has it open.
    ///
    /// - Throws: ``DaemonError`` if it can't be opened.
    init?(path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw DaemonError("The file \(path) can’t be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, ftruncate(descriptor, 0) == 0 else {
            close(descriptor)
            return nil
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Whether a program has the file open.
    static func isInUse(at path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }
}
