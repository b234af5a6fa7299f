/// A reader of the files of one format or service: an entry of a ``FileRegistry``.
///
/// A reader is made for one import, which tells it about the files that were found, asks it what each of them is, and has
/// it read those in the order of their stages. All calls of a reader come from one thread.
package protocol FileReader: AnyObject {
    /// The files that the reader is for.
    static var format: FileFormat { get }

    /// Whether the reader removes from the store what a file lacks. Nothing but a complete file may be imported then.
    var mirrors: Bool { get }

    /// Tells the reader which files there are, before it is asked about any of them.
    func prepare(_ files: [CandidateFile]) throws

    /// Recognizes a file by its name and first bytes.
    ///
    /// - Returns: `nil` for a file that this reader doesn't know.
    func recognize(_ file: CandidateFile) throws -> Recognition?

    /// Hands on what is only known when every file was read.
    func finish(_ context: ImportContext, _ yield: (FileContent) throws -> Void) throws
}

extension FileReader {
    package var mirrors: Bool { false }
    package func prepare(_ files: [CandidateFile]) throws {}
    package func finish(_ context: ImportContext, _ yield: (FileContent) throws -> Void) throws {}
}

/// The way in which a file is read, or the reason why it isn't.
package enum Recognition {
    /// Reads a file, whose contents it hands on at once or part by part.
    ///
    /// - Throws: ``FileReadingError`` for a file that can't be read; errors of `yield`.
    package typealias Read = (ImportContext, _ yield: (FileContent) throws -> Void) throws -> Void

    /// The file is read at a stage.
    case reads(ReadingStage, type: String? = nil, Read)
    /// The file has recordings of workouts, which other files may have, too. It is small enough to be read twice, and
    /// is handed on as a whole.
    case readsRecordings(type: String? = nil, Read)
    /// The file is known and not imported, for a reason that ends a sentence about it.
    case leftOut(String, ImportError.Kind = .partOfArchive)
    /// The file may be one of several that only their names distinguish, unless another reader knows it. The reason ends
    /// a sentence about it.
    case ambiguous(String)
    /// The file is read together with another one.
    case isPart
}
