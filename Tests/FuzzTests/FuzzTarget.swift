import Foundation

/// A reader of untrusted bytes, and what must hold for any bytes: it ends, it doesn't trap, and what
/// it accepts is the same after writing and reading it again, where there is a writer.
///
/// `make fuzz` runs a target under libFuzzer; `FuzzTests` gives it the corpus and seeded mutations of its examples.
struct FuzzTarget: Sendable {
    /// The name, which is also that of its folder in the corpus.
    let name: String
    /// Valid inputs, from which mutations begin.
    let examples: @Sendable () throws -> [[UInt8]]
    /// Words of the format, which mutations insert.
    let words: [String]
    /// The number of mutations in `make test`, at most.
    var mutations = 2_000
    /// Reads an input.
    ///
    /// - Throws: ``FuzzFailure`` if something doesn't hold. Errors of the reader are caught within.
    let run: @Sendable ([UInt8]) throws -> Void

    /// All targets.
    static let all: [FuzzTarget] =
        PageTargets.all + ArchiveTargets.all + TextTargets.all + ObjectTargets.all + IngestTargets.all
        + StateTargets.all + DeviceTargets.all
}

/// A condition that doesn't hold for an input.
struct FuzzFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// - Throws: ``FuzzFailure`` if a condition is false.
    static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws {
        if !condition { throw FuzzFailure(description()) }
    }
}

/// A file for readers that need a path. It is in memory where the system has a file system for that, and every process
/// and target has its own.
struct FuzzFile {
    let path: String

    /// Writes the bytes to the file of this name.
    init(_ bytes: [UInt8], named name: String) throws {
        path = Self.folder + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// The folder of this process, which is removed when it ends.
    static let folder: String = {
        let parent = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let path = parent + "/fuzz-\(getpid())"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: FuzzFile.folder) }
        return path
    }()
}
