import AppleHealthExport
import Foundation

/// Reads the files of archives in the order in which what is precise comes first.
final class ArchiveReader {
    private let archive: [ArchiveFile]
    private var google: GoogleArchive?

    init(_ archive: [ArchiveFile]) {
        let ranked = archive.map { (stage: Self.stage($0), file: $0) }
        self.archive = ranked.sorted { ($0.stage, $0.file.file.name) < ($1.stage, $1.file.file.name) }.map(\.file)
    }

    private static func stage(_ file: ArchiveFile) -> GoogleFile.Stage {
        guard case .google(let kind) = file.kind else { return .precise }
        return kind.stage
    }

    /// The files, which have to be read in their order.
    var files: [DeviceFiles.File] {
        var files = archive.map { file in
            DeviceFiles.File(name: file.file.name, parts: { try self.read(file, $0, $1) })
        }
        if let last = archive.last(where: { $0.kind != .healthConnect }) {
            // What is only known when every file was read.
            files.append(
                DeviceFiles.File(
                    name: last.file.name,
                    parts: { try $1(DeviceReading(content: self.google?.finish() ?? DeviceContent())) }))
        }
        return files
    }

    /// - Parameter yield: Receives what was read, also before the end when that is much.
    /// - Throws: ``DeviceFileError`` for a file that can't be read; errors of `yield`.
    private func read(
        _ file: ArchiveFile, _ context: ImportContext, _ yield: (DeviceReading) throws -> Void
    ) throws {
        var failure: (any Error)?
        let reading: DeviceReading
        do {
            let bytes = try file.file.bytes()
            defer { context.count(bytes.count) }
            func emit(_ content: DeviceContent) throws {
                do {
                    try yield(DeviceReading(content: content))
                } catch {
                    failure = error
                    throw error
                }
            }
            switch file.kind {
            case .google(let kind):
                var google = google ?? archive(context)
                // One owner, so that nothing of it is copied.
                self.google = nil
                defer { self.google = google }
                reading = try google.read(bytes, as: kind, recovers: context.recoversDamaged, emit: emit)
            case .healthConnect:
                reading = try HealthConnectReader.read(
                    path: file.file.path, bytes, recovers: context.recoversDamaged, emit: emit)
            }
        } catch {
            if let failure { throw failure }
            switch error {
            case let error as DeviceFileError: throw error
            case let error as HealthConnectError: throw DeviceFileError(error.reason)
            case let error as ZipError: throw DeviceFileError("\(error)")
            default: throw DeviceFileError("it can’t be read")
            }
        }
        try yield(reading)
    }

    private func archive(_ context: ImportContext) -> GoogleArchive {
        var google = GoogleArchive(timeZone: context.timeZone, default: .current, workouts: context.workouts)
        for file in archive where file.kind == .google(.fitData) || file.kind == .google(.fitActivities) {
            let head = file.file.head(DeviceFormat.headLength) ?? []
            if let stream = FitStream(head: head[...]), stream.isMerged { google.mergedTypes.insert(stream.type) }
        }
        return google
    }
}
