import Foundation
import HealthFiles
import HealthModel

/// Reads FIT, TCX and GPX files of watches, bike computers, scales, blood pressure monitors and programs.
final class ActivityFileReader: FileReader {
    func recognize(_ file: CandidateFile) -> Recognition? {
        guard let type = Self.type(of: file) else { return nil }
        return .readsRecordings(type: type) { context, yield in
            var content = try Self.read(file.file, context)
            if type != ActivityFormat.fit.rawValue {
                if content.count == 0, content.leftOut["\(GPXTrackReader.timeless), left out"] != nil {
                    throw FileReadingError(
                        "its track has no times. Give those of a GPX file with --start and --end, and it is spread "
                            + "over them at one speed")
                }
                if content.objects.contains(where: Self.isUnnamed) { content.remarks.append(Self.unnamed) }
            }
            try yield(content)
        }
    }

    private static let unnamed =
        "The activity of a workout is unknown. Correct the workout, or import its file with --activity."

    private static func isUnnamed(_ object: ObjectRecord) -> Bool {
        guard case .workout(let body) = object.body else { return false }
        return body.activityType == RecordedTrack.other
    }

    /// The name of a file's format: that of its contents, else that of its name. `nil` for any other file.
    static func type(of file: CandidateFile) -> String? {
        ActivityFormat(head: file.plainHead)?.rawValue
            ?? ActivityFormat.allCases.map(\.rawValue).first { file.hasEnding("." + $0.lowercased()) }
    }

    /// - Throws: ``FileReadingError``.
    static func read(_ file: InputFile, _ context: ImportContext) throws -> FileContent {
        let bytes = try context.contents(of: file)
        guard let format = ActivityFormat(head: bytes) else {
            throw FileReadingError("it does not begin like a FIT, TCX or GPX file")
        }
        let clock = context.clock(of: nil) ?? LocalClock(timeZone: .current)
        let content = format.read(
            bytes, recoversDamaged: context.recoversDamaged, clock: clock, options: context.options)
        if content.count == 0, content.leftOut["\(FITReader.undated), left out"] != nil {
            throw FileReadingError("it is a \(FITReader.undated)")
        }
        return content
    }
}
