/// An archive found: its main file, and what lies beside it.
struct LocatedArchive {
    /// The file whose root is `HealthData`, from its beginning.
    var main: any ByteSource
    /// The files it names.
    var companions: any CompanionFiles
}
