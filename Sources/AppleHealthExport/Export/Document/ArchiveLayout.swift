/// Names in an export's folder that are the same in every language.
enum ArchiveLayout {
    /// The folder all of it is in.
    static let folder = "apple_health_export"
    /// The main file, as it is called in English.
    static let mainFile = "export.xml"
}
