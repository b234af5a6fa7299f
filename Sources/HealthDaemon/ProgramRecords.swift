import Foundation
import HealthEngine
import HealthStorageFiles

/// The programs that a daemon has started, in a file where the next daemon finds them if it is killed.
struct ProgramRecords {
    /// A program, and what it is to acknowledge.
    struct Program: Hashable, Codable {
        var group: ProcessGroup
        /// The delivery for which it was started.
        var started: UUID
        /// The delivery that it is to acknowledge; `nil` when it has.
        var delivery: BackgroundApplication.Delivery?
    }

    private let path: String
    /// The latest program of each application, by bundle identifier, also one that has ended.
    private(set) var programs: [String: Program]

    /// Reads the file. One that is missing or damaged is like an empty one.
    init(path: String) {
        self.path = path
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        programs = (try? JSONDecoder().decode([String: Program].self, from: bytes)) ?? [:]
    }

    /// The program of an application. Setting it writes the file.
    subscript(bundleIdentifier: String) -> Program? {
        get { programs[bundleIdentifier] }
        set {
            guard programs[bundleIdentifier] != newValue else { return }
            programs[bundleIdentifier] = newValue
            write()
        }
    }

    /// Replaces the file as a whole. A failure isn't reported: the file only matters if the daemon is killed.
    private func write() {
        guard !programs.isEmpty else { return _ = unlink(path) }
        guard let bytes = try? JSONEncoder().encode(programs) else { return }
        try? AtomicFile.write(bytes, to: path, isDurable: false)
    }
}

/// A process group, named by the process that leads it.
///
/// Numbers of processes are used again. The leader's start, which the kernel counts from its own, distinguishes it from
/// a later process with the same number.
struct ProcessGroup: Hashable, Sendable, Codable {
    let leader: pid_t
    private let start: UInt64
    private let kernel: String

    /// The group of a process that was started as its leader; `nil` if there is no such process.
    init?(leader: pid_t) {
        guard leader > 1, let found = ProcessState(leader), found.group == leader else { return nil }
        self.leader = leader
        start = found.start
        kernel = Self.kernel
    }

    /// Changes with each start of the system.
    private static let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""

    /// Whether the leader is there, also one that has ended and hasn't been waited for.
    var isLeaderPresent: Bool { leaderState != nil }

    /// Whether the leader runs.
    var isLeaderRunning: Bool { leaderState?.isRunning == true }

    private var leaderState: ProcessState? {
        // Files can be damaged: no number that `kill` takes for something else.
        guard leader > 1, kernel == Self.kernel, let found = ProcessState(leader), found.start == start else {
            return nil
        }
        return found
    }

    /// The processes of the group that run, without the leader.
    func others() -> [pid_t] {
        guard leader > 1 else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }.filter {
            process in
            guard process != leader, let found = ProcessState(process) else { return false }
            return found.group == leader && found.isRunning
        }
    }
}

/// The state of a process, from `/proc/PID/stat`.
private struct ProcessState {
    let isRunning: Bool
    let group: pid_t
    /// In clock ticks since the start of the kernel.
    let start: UInt64

    init?(_ process: pid_t) {
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return nil }
        // The program's name is in parentheses and can contain some. The fields after it begin with the third one.
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 19, let group = pid_t(fields[2]), let start = UInt64(fields[19]) else { return nil }
        isRunning = !["Z", "X", "x"].contains(fields[0])
        self.group = group
        self.start = start
    }
}
