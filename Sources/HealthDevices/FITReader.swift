import Foundation
package import HealthFiles
package import HealthModel

/// Reads the files of a FIT container into HealthKit's model.
package enum FITReader {
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
