import Foundation

/// The options of a run.
struct Setting: Sendable {
    /// The folder of the built programs, including this one.
    var programs: URL
    /// The folder in which inputs are kept between runs and stores are created.
    var data: URL
    /// The page to write the table into, if any.
    var document: URL?
    /// The compiler version to print.
    var compiler = "unknown"
    /// The names of the measurements to run, or empty for all.
    var only: Set<String> = []
    /// The size of the archive of the measurement `archive`, in bytes.
    var largeArchive = 5_000_000_000
    /// A factor for the number of pairs, less than 1 for a quick run.
    var thoroughness = 1.0

    /// The number of records of the generated archive.
    static let records = 1_000_000

    func program(_ name: String) -> URL {
        programs.appendingPathComponent(name)
    }

    /// The path of a script for another program; `Benchmarks/run` starts in the folder that contains theirs.
    func script(_ name: String) -> URL {
        URL(fileURLWithPath: "scripts").appendingPathComponent(name)
    }

    /// Returns whether a measurement is to be run: it is named, or its group is, or nothing is.
    func isSelected(_ name: String, group: String? = nil) -> Bool {
        only.isEmpty || only.contains(name) || group.map { only.contains($0) } ?? false
    }

    /// Returns `count`, or fewer pairs for a quick run.
    func pairs(_ count: Int) -> Int {
        max(1, Int((Double(count) * thoroughness).rounded()))
    }

    /// Returns a path in the data folder, after deleting any store there.
    func freshStore(_ name: String) throws -> URL {
        let url = data.appendingPathComponent(name)
        try removeStore(url)
        return url
    }

    func removeStore(_ url: URL) throws {
        for suffix in ["", "-wal", "-shm"] {
            let path = url.path + suffix
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }

    /// Returns the size of a store with its log, in bytes.
    func size(of store: URL) throws -> Int {
        try ["", "-wal", "-shm"].reduce(0) { sum, suffix in
            let path = store.path + suffix
            guard FileManager.default.fileExists(atPath: path) else { return sum }
            return sum + (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
        }
    }
}

extension Setting {
    static let usage = """
        usage: bench --data FOLDER [--document FILE] [--compiler TEXT] [--only NAME,NAME…] [--size 5g] [--quick]
        Names: import, devices, folder, export, frames, archive, sums, sql, objects, save, codec, workout, fixtures, receive, changes, load, size, observers, postgresql, cluster, and of the server: queries,
        ingest, upload, streams, page, or server for all five. --size is the size of the large archive, which needs a quarter more
        disk space while it is measured; --quick leaves it and the changes out unless they are named.
        """

    /// Parses command-line arguments.
    init(arguments: [String]) throws {
        var values: [String: String] = [:]
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            if name == "--quick" {
                values[name] = ""
                continue
            }
            guard ["--data", "--document", "--compiler", "--only", "--size"].contains(name), let value = rest.popFirst()
            else {
                throw BenchError(Self.usage)
            }
            values[name] = value
        }
        guard let data = values["--data"] else { throw BenchError(Self.usage) }
        self.init(
            programs: URL(fileURLWithPath: arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent(),
            data: URL(fileURLWithPath: data),
            document: values["--document"].map { URL(fileURLWithPath: $0) },
            compiler: values["--compiler"] ?? "unknown",
            only: Set((values["--only"] ?? "").split(separator: ",").map(String.init)),
            thoroughness: values["--quick"] == nil ? 1 : 0.25)
        if let size = values["--size"] { largeArchive = try Self.bytes(size) }
        try FileManager.default.createDirectory(at: self.data, withIntermediateDirectories: true)
    }

    /// Parses a size such as `5g` or `800m`, in bytes.
    private static func bytes(_ text: String) throws -> Int {
        let factor: Int
        switch text.last {
        case "g": factor = 1_000_000_000
        case "m": factor = 1_000_000
        default: throw BenchError(Self.usage)
        }
        guard let count = Int(text.dropLast()), count > 0, count <= 1_000_000 else { throw BenchError(Self.usage) }
        return count * factor
    }
}
