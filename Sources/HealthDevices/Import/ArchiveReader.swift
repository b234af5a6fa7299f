import AppleHealthExport
import Foundation

/// Reads the files of archives in the order in which what is precise comes first.
struct ArchiveReader {
    private var files: ArraySlice<ArchiveFile>
    private var google: GoogleArchive
    private let recovers: Bool
    /// The number of bytes of the file that was read last.
    private(set) var byteCount = 0

    /// - Parameters:
    ///   - timeZone: The person's time zone, if it is known.
    ///   - workouts: Workouts that other files have.
    ///   - recovers: Whether to keep what was read of a file whose checksum is wrong.
    init(_ files: [ArchiveFile], timeZone: TimeZone?, workouts: GooglePeriods, recovers: Bool) {
        self.recovers = recovers
        google = GoogleArchive(timeZone: timeZone, default: .current, workouts: workouts)
        let ranked = files.map { (stage: Self.stage($0), file: $0) }
        self.files = ranked.sorted { ($0.stage, $0.file.name) < ($1.stage, $1.file.name) }.map(\.file)[...]
        for file in files where file.kind == .google(.fitData) {
            var head = [UInt8](repeating: 0, count: DeviceFormat.headLength)
            let count = (try? head.withUnsafeMutableBytes { try file.open().read(into: $0) }) ?? 0
            if let stream = FitStream(head: head[..<count]), stream.isMerged { google.mergedTypes.insert(stream.type) }
        }
    }

    private static func stage(_ file: ArchiveFile) -> GoogleFile.Stage {
        guard case .google(let kind) = file.kind else { return .precise }
        return kind.stage
    }

    /// The file that is next; `nil` after the last one.
    mutating func next() -> ArchiveFile? { files.popFirst() }

    /// Reads a file.
    ///
    /// - Parameter emit: Receives what was read when that is much.
    /// - Throws: ``DeviceFileError`` for a file that can't be read; errors of `emit`.
    mutating func read(_ file: ArchiveFile, emit: (DeviceContent) throws -> Void) throws -> DeviceReading {
        var stored: (any Error)?
        let bytes: DeviceBytes
        do {
            bytes = try file.open()
            defer { byteCount = bytes.count }
            func guarded(_ content: DeviceContent) throws {
                do {
                    try emit(content)
                } catch {
                    stored = error
                    throw error
                }
            }
            switch file.kind {
            case .google(let kind): return try google.read(bytes, as: kind, recovers: recovers, emit: guarded)
            case .healthConnect: return try HealthConnectReader.read(path: file.path, bytes, emit: guarded)
            }
        } catch {
            if let stored { throw stored }
            switch error {
            case let error as DeviceFileError: throw error
            case let error as HealthConnectError: throw DeviceFileError(error.reason)
            case let error as ZipError: throw DeviceFileError("\(error)")
            default: throw DeviceFileError("it can’t be read")
            }
        }
    }

    /// What is only known when every file was read.
    mutating func finish() -> DeviceContent { google.finish() }
}
