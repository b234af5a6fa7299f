import Foundation
import HealthFiles
import HealthModel

/// Reads archives of Google's: Fitbit, Google Health and Google Fit.
final class GoogleReader: FileReader {
    /// Whether at least one of the files is what Google's name of it says: others may have such names.
    private var isGoogles = false
    /// The types of Google Fit of which the archive has a merged stream.
    private var mergedTypes: Set<Substring> = []
    private var archive: GoogleTakeoutReader?

    func prepare(_ files: [CandidateFile]) {
        let named = files.compactMap { file in GoogleFile(path: file.name).map { (file, $0) } }
        isGoogles = named.lazy.filter { $0.1.isEvidence }.prefix(100).contains {
            $0.1.matches(head: $0.0.plainHead[...])
        }
        for (file, kind) in named where kind == .fitData || kind == .fitActivities {
            guard let stream = GoogleFitStream(head: file.plainHead[...]), stream.isMerged else { continue }
            mergedTypes.insert(stream.type)
        }
    }

    func recognize(_ file: CandidateFile) -> Recognition? {
        guard let kind = kind(of: file) else { return file.isAlone ? refusal(of: file) : nil }
        switch kind {
        case .leftOut(let what): return .leftOut("is a file of \(what), which isn’t imported. \(Self.whole)")
        case .scores: return .leftOut("is a file of scores, which aren’t imported. \(Self.whole)")
        case .profile where file.isAlone: return .leftOut("is a profile, which has nothing to import. \(Self.whole)")
        default: break
        }
        return .reads(kind.stage) { context, yield in
            let bytes = try file.file.bytes()
            defer { context.count(bytes.count) }
            var archive =
                self.archive
                ?? GoogleTakeoutReader(
                    timeZone: context.timeZone, default: .current, mergedTypes: self.mergedTypes,
                    coverage: context.coverage(of: Self.format))
            // One owner, so that nothing of it is copied.
            self.archive = nil
            defer { self.archive = archive }
            try yield(archive.read(bytes, as: kind, recovers: context.recoversDamaged, emit: yield))
        }
    }

    func finish(_ context: ImportContext, _ yield: (FileContent) throws -> Void) throws {
        if let content = archive?.finish() { try yield(content) }
    }

    /// A file by itself is recognized by its content, else by its name; one of several by its name, if it isn't a common
    /// one and the file begins otherwise. A damaged one is what its name says.
    private func kind(of file: CandidateFile) -> GoogleFile? {
        if file.isAlone {
            if case .file(let kind)? = GoogleFile.content(head: file.plainHead) { return kind }
            guard let kind = GoogleFile(path: file.name) else { return nil }
            return isGoogles || !kind.isEvidence ? kind : nil
        }
        guard isGoogles, let kind = GoogleFile(path: file.name) else { return nil }
        let isForeign = kind.hasCommonName && !file.plainHead.isEmpty && !kind.matches(head: file.plainHead[...])
        return isForeign ? nil : kind
    }

    /// Why a file that only its name would identify isn't read.
    private func refusal(of file: CandidateFile) -> Recognition? {
        guard case .alike(let example)? = GoogleFile.content(head: file.plainHead) else { return nil }
        return .leftOut(
            "is like other files of its service, which differ in their names. Give it its own name, such as \(example), or import the zip file or folder that it comes from"
        )
    }

    private static let whole = "For everything else, import the zip file or folder that it comes from"
}
