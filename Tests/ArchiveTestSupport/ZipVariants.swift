package import HealthFiles

extension ZipWriter.Options {
    /// The forms of a zip file that readers meet.
    package static let variants: [ZipWriter.Options] = [
        .init(), .init(level: nil), .init(level: 9, usesDescriptors: false), .init(level: nil, usesDescriptors: false),
        .init(forcesZip64: true), .init(level: nil, usesDescriptors: false, forcesZip64: true),
        .init(level: 1, flagsNamesAsUTF8: false),
    ]
}
