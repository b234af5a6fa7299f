import Foundation

/// A limit of a program's processor time, by a control group of Linux, so that it is the bottleneck and not what runs
/// beside it on the same cores.
struct ProcessorLimit {
    private let group: URL

    /// Returns limits for several programs; `nil` where this process isn't allowed to create control groups.
    static func groups(_ count: Int, cores: Double) -> [ProcessorLimit]? {
        let groups = (0..<count).compactMap { _ in ProcessorLimit(cores: cores) }
        guard groups.count == count else {
            for group in groups { group.remove() }
            return nil
        }
        return groups
    }

    /// Creates a control group; `nil` where this process isn't allowed to.
    ///
    /// - Parameter cores: The limit of all threads together, as a fraction of one core.
    private init?(cores: Double) {
        let microseconds = Int(cores * 100_000)
        // Control groups of version 1 have a hierarchy for each resource, those of version 2 a single one. The period is
        // 100 ms by default.
        let places = [
            ("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "\(microseconds)"),
            ("/sys/fs/cgroup", "cpu.max", "\(microseconds) 100000"),
        ]
        for (hierarchy, file, limit) in places {
            let group = URL(fileURLWithPath: "\(hierarchy)/openhealthkit-\(UUID().uuidString)")
            guard mkdir(group.path, 0o755) == 0 else { continue }
            if (try? Self.write(limit, to: group.appendingPathComponent(file))) != nil {
                self.group = group
                return
            }
            rmdir(group.path)
        }
        return nil
    }

    /// Removes the control group, whose programs must have ended.
    func remove() { rmdir(group.path) }

    /// Limits a running program.
    func limit(_ process: Int32) throws {
        try Self.write("\(process)", to: group.appendingPathComponent("cgroup.procs"))
    }

    /// Files of a control group can't be replaced, only written.
    private static func write(_ text: String, to file: URL) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }
}
