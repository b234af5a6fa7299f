package import Foundation
import HealthJSON
package import HealthEngine
package import HealthModel

/// The state that the files of an import share: the store, the person's time zone, and which samples are known.
package final class ImportContext {
    package let engine: HealthEngine
    package let options: ImportOptions
    /// The person's time zone, if it is known.
    package let timeZone: TimeZone?
    package let isInterrupted: @Sendable () -> Bool
    package let progress: (@Sendable (ImportProgress) -> Void)?
    /// The report so far. A reader that stores what it reads by itself adds to it.
    package var report = ImportReport()

    private let clock: LocalClock
    private var clocks: [String: LocalClock] = [:]
    private var byteCount = 0
    private var coverages: [String: Coverage] = [:]

    package init(
        _ engine: HealthEngine, _ options: ImportOptions = .init(),
        isInterrupted: @escaping @Sendable () -> Bool = { false },
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) throws {
        (self.engine, self.options, self.isInterrupted, self.progress) = (engine, options, isInterrupted, progress)
        // Also of an earlier import.
        let zone = try options.timeZone ?? engine.imports.metadata(ImportHistory.timeZoneKey)
        timeZone = zone.flatMap(TimeZone.init(identifier:))
        clock = LocalClock(timeZone: timeZone ?? .current)
    }

    /// Whether to keep what was read of a file whose checksum is wrong.
    package var recoversDamaged: Bool { options.recoversDamagedArchives }

    /// The clock of a time zone by its text, or of the person's if `nil`; `nil` for a text that isn't one.
    package func clock(of zone: String?) -> LocalClock? {
        guard let zone else { return clock }
        if let known = clocks[zone] { return known }
        guard let found = TimeZoneParser.zone(zone).map(LocalClock.init) else { return nil }
        if clocks.count > 1_000 { clocks = [:] }
        clocks[zone] = found
        return found
    }

    /// The minutes of which the files of a format that were read have samples.
    package func coverage(of format: FileFormat) -> Coverage {
        if let known = coverages[format.name] { return known }
        let coverage = Coverage()
        coverages[format.name] = coverage
        return coverage
    }

    /// Takes note that the samples of a file exclude those of the next ones.
    func endFile() {
        for coverage in coverages.values { coverage.endFile() }
    }

    /// Takes note of bytes that were read.
    package func count(_ bytes: Int) { byteCount += bytes }

    /// The number of bytes that were read, from which counting begins again.
    func takeByteCount() -> Int {
        defer { byteCount = 0 }
        return byteCount
    }

    /// All bytes of a file, which are counted.
    package func contents(of file: InputFile) throws -> [UInt8] {
        let bytes = try file.contents()
        count(bytes.count)
        return bytes
    }

    /// The bytes of a file in pieces, which are counted.
    package func counting(_ source: @escaping () throws -> [UInt8]) -> () throws -> [UInt8] {
        {
            let piece = try source()
            self.count(piece.count)
            return piece
        }
    }
}
