import AppleHealthExport

/// A file that is given by itself, whose name may say nothing, as that of an upload.
struct SingleFile {
    let file: InputFile
    let head: [UInt8]

    /// `nil` for a file that is empty or can't be read.
    init?(_ file: InputFile) {
        guard let head = file.head(DeviceFormat.headLength), !head.isEmpty else { return nil }
        (self.file, self.head) = (file, head)
    }

    /// Whether the file is one of XML.
    var isMarkup: Bool { firstCharacter == UInt8(ascii: "<") }

    private var firstCharacter: UInt8? { head.first { $0 > 0x20 && $0 < 0x80 } }

    /// What the file is of Google's: by its content, else by its name.
    var google: GoogleFile? {
        switch GoogleFile.content(head: head) {
        case .file(let known): known
        case .alike, nil: GoogleFile(path: file.name)
        }
    }

    /// Why the file isn't imported, and what to give instead, if it is one of a service or a table; `nil` for another one,
    /// which may be Apple's.
    var refusal: ImportError? {
        guard let first = firstCharacter, !isMarkup else { return nil }
        if let reason = reason(isDocument: "[{".utf8.contains(first)) {
            return ImportError(.partOfArchive, "“\(file.name)” \(reason)")
        }
        guard [".csv", ".tsv"].contains(where: file.plainName.hasSuffix) else { return nil }
        return ImportError(
            .notAnExport,
            "“\(file.name)” is a CSV file whose columns are unknown. Say what they are in a mapping, with --columns.")
    }

    private func reason(isDocument: Bool) -> String? {
        if isDocument, let title = GarminExport.title(of: file.name, head: head) {
            return
                "is \(title), which isn’t imported: the FIT files of the export have the same in detail. Import the zip file of the export, or its folder."
        }
        switch GoogleFile(path: file.name) {
        case .leftOut(let what)?: return "is a file of \(what), which isn’t imported. \(Self.whole)"
        case .scores?: return "is a file of scores, which aren’t imported. \(Self.whole)"
        case .profile?: return "is a profile, which has nothing to import. \(Self.whole)"
        default: break
        }
        if case .file(.leftOut(let what))? = GoogleFile.content(head: head) {
            return "is a file of \(what), which isn’t imported. \(Self.whole)"
        }
        if case .alike(let example)? = GoogleFile.content(head: head) {
            return
                "is like other files of its service, which differ in their names. Give it its own name, such as \(example), or import the zip file or folder that it comes from."
        }
        if isDocument {
            return
                "is a JSON file that isn’t known. Import the zip file or folder that the service has handed out, as a whole."
        }
        guard let example = TableFile.header(file.pieces).flatMap(BuiltInMappings.example(of:)) else { return nil }
        return
            "has columns that several files of Withings have, which differ in their names. Give it its own name, such as \(example), or import the zip file or folder that it comes from. For a CSV file of something else, say what its columns are in a mapping, with --columns."
    }

    private static let whole = "For everything else, import the zip file or folder that it comes from."
}
