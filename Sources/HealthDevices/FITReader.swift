import Foundation
package import HealthFiles
package import HealthModel

/// Reads the files of a FIT container into HealthKit's model.
package enum FITReader {
    /// Types of files that don't contain what a person did or was: settings, plans and courses.
    private static let otherTypes: [Int64: String] = [
        FITValueNumber.File.device: "device", FITValueNumber.File.settings: "settings",
        FITValueNumber.File.sport: "sport settings", FITValueNumber.File.workout: "workout plan",
        FITValueNumber.File.course: "course", FITValueNumber.File.schedules: "schedules",
        FITValueNumber.File.totals: "totals", FITValueNumber.File.goals: "goals",
        FITValueNumber.File.segment: "segment", FITValueNumber.File.segmentList: "segment list",
        FITValueNumber.File.exdConfiguration: "display settings",
    ]

    /// Messages that are read together, and those that only describe the file.
    private static let known: Set<UInt16> = [
        FITMessageNumber.fileId, FITMessageNumber.fileCreator, FITMessageNumber.deviceInfo,
        FITMessageNumber.deviceSettings, FITMessageNumber.userProfile, FITMessageNumber.sport,
        FITMessageNumber.session, FITMessageNumber.lap, FITMessageNumber.segmentLap, FITMessageNumber.record,
        FITMessageNumber.event, FITMessageNumber.set,
        FITMessageNumber.activity, FITMessageNumber.length, FITMessageNumber.hrv, FITMessageNumber.hr,
        FITMessageNumber.monitoring, FITMessageNumber.monitoringInfo, FITMessageNumber.sleepLevel,
        FITMessageNumber.timestampCorrelation, FITMessageNumber.developerDataId, FITMessageNumber.fieldDescription,
    ]

    /// The name of a file that is left out because it has no date.
    static let undated =
        "FIT file whose times count from when the device was switched on, and that doesn’t say when that was"

    /// Reads a container. Files of which any figure may be wrong are left out unless `recoversDamaged`.
    ///
    /// - Parameter clock: The clock of the person's time zone.
    package static func read(
        _ bytes: [UInt8], recoversDamaged: Bool, clock: LocalClock = LocalClock(timeZone: .current)
    ) -> FileContent {
        var reading = FileContent()
        var files: [FITMessages] = []
        for file in FITFile.files(in: bytes) {
            reading.damages += file.damages
            let isRight = recoversDamaged || !file.damages.contains(where: \.isAnywhere)
            let messages = isRight ? file.messages : FITMessages()
            // A watch appends what a chest strap has stored in separate files, which have no identity.
            let isPart = messages[FITMessageNumber.fileId].isEmpty && messages[FITMessageNumber.session].isEmpty
            if isPart, !messages.numbers.isEmpty, !files.isEmpty {
                files[files.count - 1].append(messages)
            } else {
                files.append(messages)
            }
        }
        for messages in files { read(FITClock.corrected(messages), clock, into: &reading) }
        return reading
    }

    private static func read(_ messages: FITMessages, _ clock: LocalClock, into content: inout FileContent) {
        let identity = messages[FITMessageNumber.fileId].first
        if let name = identity?.integer(FITField.FileId.type).flatMap({ otherTypes[$0] }) {
            return content.leaveOut("file of type \(name)")
        }
        if FITOrigin.isUndated(messages) { return content.leaveOut(undated) }
        let origin = FITOrigin(messages, clock)
        let samples = SampleOrigin(revision: origin.revision, device: origin.device)
        FITActivityReader(messages, origin).read(into: &content)
        var monitoring = FITMonitoring(origin)
        monitoring.read(messages, into: &content)
        FITSleep.read(messages, origin, samples, into: &content)
        for message in messages.ordered(messages.numbers.filter { !known.contains($0) }) {
            if FITMeasurements.read(message, origin, samples, into: &content) { continue }
            let name = FITMessageName.all[message.number].map { "FIT message \($0)" }
            content.leaveOut(name ?? "FIT message of the manufacturer’s own")
        }
    }
}
