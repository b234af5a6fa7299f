import Dispatch
import Foundation
import HealthEngine
import Synchronization

/// A program that a daemon started, in its own process group: this daemon, or one that was killed.
final class ChildProcess: Sendable {
    /// The delivery for which it was started.
    let delivery: UUID
    /// The file that receives what it prints.
    let output: String
    /// The group of the program; `nil` if the system doesn’t report when it started.
    let group: ProcessGroup?
    private let process: pid_t
    private let isChild: Bool

    private struct State {
        var hasEnded = false
        var isTerminating = false
        /// Whether the group isn't signaled any more.
        var isReleased = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Takes over a program that another daemon started.
    ///
    /// - Parameter output: The file that receives what it prints.
    init(_ record: ProgramRecords.Program, output: String) {
        delivery = record.started
        self.output = output
        group = record.group
        process = record.group.leader
        isChild = false
        if !record.group.isLeaderRunning { state.withLock { $0.hasEnded = true } }
    }

    /// Starts a program whose standard input is empty. It doesn't inherit files of the daemon.
    ///
    /// - Throws: ``DaemonError`` if it can't be started.
    init(
        path: String, arguments: [String], environment: [String: String], output: borrowing ProgramOutput,
        delivery: UUID
    ) throws {
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
        isChild = true
        // A program that has ended meanwhile is still known, because no process has waited for it.
        group = ProcessGroup(leader: process)
    }

    /// Lets every open file of this process be closed in programs that it starts. Libraries don't do that for all
    /// sockets.
    private static func keepFilesFromPrograms() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Calls a handler on another thread when the program has ended, with words that describe how; `nil` if only its
    /// parent, a killed daemon, could know. What the program started may still run: end it with ``endRest()``, or leave
    /// it with ``release()``.
    func wait(_ handler: @escaping @Sendable (String?) -> Void) {
        let thread = Thread { [self] in
            let status = isChild ? waitForChild() : nil
            // Of a process that isn't a child, nothing but its presence can be observed.
            while !isChild, group?.isLeaderRunning == true { usleep(200_000) }
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                state.hasEnded = true
                return state.waiting
            }
            handler(status)
            for continuation in waiting { continuation.resume() }
        }
        thread.start()
    }

    /// Waits, and keeps the ended process: as long as it is there, neither its number nor that of its group is given to
    /// others.
    private func waitForChild() -> String {
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        // si_status, at the place that 64-bit kernels define. C libraries name it differently.
        let status = withUnsafeBytes(of: information) { $0.load(fromByteOffset: 24, as: Int32.self) }
        return information.si_code == Int32(CLD_EXITED) ? "with status \(status)" : "by signal \(status)"
    }

    /// Returns when the program has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiting.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Whether processes that the program started run in its group.
    var hasRest: Bool {
        guard let others = group?.others(), !others.isEmpty else { return false }
        return isOwn(others)
    }

    /// Asks the program and those it started to end, and kills them five seconds later.
    func terminate() {
        let isFirst = state.withLock { state in
            defer { state.isTerminating = true }
            return !state.isTerminating
        }
        guard isFirst else { return }
        signal(SIGTERM)
        DispatchQueue.global().asyncAfter(deadline: .now() + 5) { self.signal(SIGKILL) }
    }

    /// Ends what the program has left behind, and returns when that has ended. Call it when the program has ended.
    func endRest() async {
        if hasRest {
            terminate()
            // A thread, because a canceled task doesn't wait.
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in
                    // What the system can't kill, such as a process that waits for a lost disk, isn't waited for.
                    for _ in 0..<100 where hasRest { usleep(100_000) }
                    continuation.resume()
                }
            }
        }
        release()
    }

    /// Leaves what the program has started alone from now on. Call it when the program has ended.
    func release() {
        state.withLock { state in
            guard !state.isReleased else { return }
            state.isReleased = true
            var status: Int32 = 0
            while isChild, waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }

    private func signal(_ number: Int32) {
        state.withLock { state in
            guard !state.isReleased, isChild || isOwn(group?.others() ?? []) else { return }
            _ = kill(-process, number)
        }
    }

    /// Whether the group is still that of the program. When the leader has been waited for and all others have ended,
    /// its number can be that of another group.
    private func isOwn(_ others: [pid_t]) -> Bool {
        guard !isChild, let group, !group.isLeaderPresent else { return true }
        return others.contains { ProgramOutput.isOpen(at: output, by: $0) }
    }
}

/// The file with what the program of an application prints. It is readable by its owner only, because a daemon's log
/// must not contain health data, and is truncated at each start.
///
/// The file is locked as long as the program or one that it started has it open, even after the daemon has ended.
struct ProgramOutput: ~Copyable {
    let path: String
    let descriptor: Int32

    /// The number of bytes at the end that ``trim(_:)`` keeps.
    static let maximumCount = 1 << 20

    /// Opens the file; `nil` if a program has it open.
    ///
    /// - Parameter replacing: Whether to begin another file if there is one, which a helper of an ended program may
    ///   have open.
    /// - Throws: ``DaemonError`` if it can't be opened.
    init?(path: String, replacing: Bool = false) throws {
        if replacing { unlink(path) }
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

    /// Whether the standard output or error of a process is the file.
    static func isOpen(at path: String, by process: pid_t) -> Bool {
        var file = stat()
        guard lstat(path, &file) == 0 else { return false }
        return [STDOUT_FILENO, STDERR_FILENO].contains { descriptor in
            var other = stat()
            guard stat("/proc/\(process)/fd/\(descriptor)", &other) == 0 else { return false }
            return other.st_ino == file.st_ino && other.st_dev == file.st_dev
        }
    }

    /// Removes the beginning of a file that has become too long. Programs continue at its end.
    static func trim(_ path: String) {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let count = try? file.seekToEnd(), count > UInt64(maximumCount) else { return }
        try? file.seek(toOffset: count - UInt64(maximumCount))
        guard let end = try? file.read(upToCount: maximumCount), ftruncate(descriptor, 0) == 0 else { return }
        try? file.write(contentsOf: end)
    }
}
