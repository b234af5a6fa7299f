import Foundation

/// Where things are, and how often to measure.
struct Setting: Sendable {
    /// The folder of the built programs: this one's.
    var programs: URL
    /// Where inputs are kept between runs, and stores are made.
    var data: URL
    /// The page that takes the table, if any.
    var document: URL?
    /// What to tell of the compiler.
    var compiler = "unknown"
    /// Names of measurements to make; all when empty.
    var only: Set<String> = []
    /// Bytes of the archive of the measurement `archive`.
    var largeArchive = 5_000_000_000
    /// How often each thing is done, against the usual; less for a quick look.
    var thoroughness = 1.0

    /// Records of the generated archive.
    static let records = 1_000_000

    func program(_ name: String) -> URL {
        programs.appendingPathComponent(name)
    }

    /// `count` pairs, or fewer for a quick look.
    func pairs(_ count: Int) -> Int {
        max(1, Int((Double(count) * thoroughness).rounded()))
    }

    /// A name in the data folder, with nothing left there of a store of that name.
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

    /// Bytes of a store with its log.
    func size(of store: URL) throws -> Int {
        try ["", "-wal", "-shm"].reduce(0) { sum, suffix in
            let path = store.path + suffix
            guard FileManager.default.fileExists(atPath: path) else { return sum }
            return sum + (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
        }
    }
}
