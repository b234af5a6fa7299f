extension ArchiveParser {
    /// Takes the electrocardiograms that lie beside the main file, which does not mention them. They have no
    /// line in it, so what is reported of them has line 0.
    mutating func takeElectrocardiograms() throws {
        for path in companions.paths(inFolder: ElectrocardiogramReader.folder) {
            guard path.lowercased().hasSuffix(".csv") else { continue }
            do throws(CompanionError) {
                add(try ElectrocardiogramReader.read(companions.contents(of: path), path: path))
            } catch {
                findings.skip(line: 0, type: ElectrocardiogramReader.identifier, reason: error.reason)
            }
            if batchRecords >= options.batchSize { try flush() }
        }
    }
}
