/// The companions of an archive that comes alone, as one read from standard input does.
struct NoCompanions: CompanionFiles {
    func paths(inFolder name: String) -> [String] { [] }

    func source(of path: String, limit: Int) throws(CompanionError) -> any ByteSource {
        throw CompanionError("its file is not there: the archive was given without its folder")
    }
}
