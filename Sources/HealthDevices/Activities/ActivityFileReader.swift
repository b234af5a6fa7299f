import Foundation
import HealthFiles
import HealthModel

/// Reads FIT, TCX and GPX files of watches, bike computers, scales, blood pressure monitors and programs.
final class ActivityFileReader: FileReader {
    static let format = FileFormat(
        name: "activity file", title: "FIT, TCX and GPX",
        files: "[files](#mapping-of-fit) of watches, bike computers, scales, blood pressure monitors and programs",
        exampleNames: ["a.fit", "a.tcx", "a.gpx"], sources: ["fit.", "tcx.", "gpx."])

    func recognize(_ file: CandidateFile) -> Recognition? {
        guard let type = Self.type(of: file) else { return nil }
        return .readsRecordings(type: type) { try $1(Self.read(file.file, $0)) }
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
        let content = format.read(bytes, recoversDamaged: context.recoversDamaged, clock: clock)
        if content.count == 0, content.leftOut["\(FITReader.undated), left out"] != nil {
            throw FileReadingError("it is a \(FITReader.undated)")
        }
        return content
    }
}
