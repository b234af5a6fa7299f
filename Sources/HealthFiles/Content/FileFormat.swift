package import HealthModel

/// The files of a reader, as documents and reports describe them.
package struct FileFormat: Sendable {
    /// The name, as a report has it.
    package let name: String
    /// The device or service, for the table of Docs/Devices.md.
    package let title: String
    /// The files to give to an import, likewise.
    package let files: String
    /// Names with which the reader recognizes any contents, for tests with mutated files.
    package let exampleNames: [String]
    /// How the identifiers of the sources of its samples begin. A workout of these sources gives way to a copy with more
    /// detail.
    package let sources: [String]
    /// The types of which its files have totals or averages of days, which give way to finer samples.
    package let dayTotals: Set<TypeCode>
    /// A Boolean value that indicates whether a file has all that a person's store should have, so that a mirroring
    /// import may remove the rest.
    package let isComplete: Bool

    package init(
        name: String, title: String, files: String, exampleNames: [String], sources: [String] = [],
        dayTotals: Set<TypeCode> = [], isComplete: Bool = false
    ) {
        (self.name, self.title, self.files, self.exampleNames) = (name, title, files, exampleNames)
        (self.sources, self.dayTotals, self.isComplete) = (sources, dayTotals, isComplete)
    }
}

/// The time at which a file is read, so that totals are only imported where nothing finer exists.
package enum ReadingStage: Int, CaseIterable, Comparable, Sendable {
    /// Files that tell about others, such as a profile with a time zone.
    case first
    /// Instants with the device that measured.
    case exact
    /// Minutes without a device.
    case minute
    /// Totals and averages of days or nights.
    case total

    package static func < (left: ReadingStage, right: ReadingStage) -> Bool { left.rawValue < right.rawValue }
}
