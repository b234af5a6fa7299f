import Foundation
import HealthModel

/// The source and the device of a file, and how its times are to be read.
struct FITOrigin: Sendable {
    let revision: SourceRevisionRecord
    let device: DeviceRecord
    /// The manufacturer's name.
    let manufacturer: String
    /// The seconds that are added to times that count from when the device was switched on.
    private let systemOffset: Double?

    /// The seconds from 1989-12-31 00:00:00 UTC, where times of FIT files begin, to 2001-01-01 00:00:00 UTC.
    static let epoch = 347_241_600.0
    /// The manufacturer of programs without a number of their own.
    static let development: Int64 = 255
    /// Times below are seconds since the device was switched on.
    private static let firstTime: Int64 = 0x1000_0000

    /// - Parameter clock: The clock of the person's time zone, for a device that only knows the local time.
    init(_ messages: FITMessages, _ clock: LocalClock) {
        typealias Names = FITField.FileId
        let file = messages[FITMessageNumber.fileId].first
        let program = messages[FITMessageNumber.fileCreator].first
        let creator = messages[FITMessageNumber.deviceInfo]
            .first { $0.integer(FITField.DeviceInfo.deviceIndex) == 0 }
        let maker = file?.integer(Names.manufacturer) ?? creator?.integer(FITField.DeviceInfo.manufacturer)
        let product = file?.integer(Names.product) ?? creator?.integer(FITField.DeviceInfo.product)
        let serial = file?.integer(Names.serialNumber) ?? creator?.integer(FITField.DeviceInfo.serialNumber)
        // Garmin's products have their own names; others may name theirs.
        let isGarmin = file?.subField(Names.product)?.name.description == "garmin_product"
        let listed = isGarmin ? product.flatMap { FITProductName.garminProducts[$0] } : nil
        let model =
            file?.text(Names.productName) ?? creator?.text(FITField.DeviceInfo.productName) ?? listed
            ?? product.map { "\($0)" }
        // A program without a number of its own names what it writes.
        let isNamed = maker == Self.development && model != nil
        manufacturer =
            isNamed
            ? model ?? ""
            : maker.map { FITProductName.manufacturers[$0] ?? "Manufacturer \($0)" } ?? "Unknown manufacturer"
        let name = isNamed ? manufacturer : [manufacturer, model].compactMap(\.self).joined(separator: " ")
        let written = program?.number(FITField.FileCreator.softwareVersion).map { $0 / 100 }
        let software = (creator?.number(FITField.DeviceInfo.softwareVersion) ?? written).map(Self.version)
        let key = [maker, product, serial].map { $0.map(String.init) ?? "0" }.joined(separator: ".")
        revision = SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "fit.\(key)", name: name), version: software, productType: model)
        device = DeviceRecord(
            name: name, manufacturer: manufacturer, model: model,
            hardwareVersion: program?.integer(FITField.FileCreator.hardwareVersion)
                .map(String.init), softwareVersion: software, localIdentifier: serial.map(String.init))
        systemOffset = Self.systemOffset(messages, clock)
    }

    /// Whether all that the file recorded has times since the device was switched on, and nothing says when that was.
    static func isUndated(_ messages: FITMessages) -> Bool {
        let times = systemTimes(messages)
        return !times.isEmpty && times.allSatisfy { $0 < firstTime }
            && systemOffset(messages, .init(timeZone: .gmt)) == nil
    }

    private static func systemTimes(_ messages: FITMessages) -> [Int64] {
        let numbers = [
            FITMessageNumber.session, FITMessageNumber.record, FITMessageNumber.lap, FITMessageNumber.monitoring,
        ]
        return messages[FITMessageNumber.session].compactMap { $0.integer(FITField.Session.startTime) }
            + numbers.flatMap { messages[$0].compactMap { $0.integer(FITField.timestamp) } }
    }

    /// The time at which the device was switched on: as the file states it, else by a local time at a time since then,
    /// else by the time of the file, which begins with what it recorded first.
    private static func systemOffset(_ messages: FITMessages, _ clock: LocalClock) -> Double? {
        typealias Correlation = FITField.TimestampCorrelation
        func offset(_ number: UInt16, _ system: UInt8, _ field: UInt8, isLocal: Bool = false) -> Double? {
            guard let message = messages[number].first, let time = message.integer(field),
                let since = message.integer(system), (0..<firstTime).contains(since),
                (firstTime..<Int64(UInt32.max)).contains(time)
            else { return nil }
            let wall = Int(time) - Int(epoch)
            return Double(isLocal ? clock.instant(ofWallSecond: wall) : wall) + epoch - Double(since)
        }
        func fileOffset() -> Double? {
            guard let time = messages[FITMessageNumber.fileId].first?.integer(FITField.FileId.timeCreated),
                (firstTime..<Int64(UInt32.max)).contains(time), let first = systemTimes(messages).min(),
                first < firstTime
            else { return nil }
            return Double(time) - Double(max(first, 0))
        }
        let correlation = FITMessageNumber.timestampCorrelation
        return offset(correlation, Correlation.systemTimestamp, FITField.timestamp)
            ?? offset(correlation, Correlation.systemTimestamp, Correlation.localTimestamp, isLocal: true)
            ?? offset(FITMessageNumber.activity, FITField.timestamp, FITField.Activity.localTimestamp, isLocal: true)
            ?? fileOffset()
    }

    /// The time of a field, in seconds since 2001-01-01 00:00:00 UTC; `nil` without one, and for a time since the
    /// device was switched on in a file that doesn't say when that was.
    func date(_ message: FITMessage, _ field: UInt8 = FITField.timestamp) -> Double? {
        message.integer(field).flatMap(date)
    }

    /// A time of a FIT file in seconds since 2001-01-01 00:00:00 UTC.
    func date(_ time: Int64) -> Double? {
        guard (0..<Int64(UInt32.max)).contains(time) else { return nil }
        if time >= Self.firstTime { return Double(time) - Self.epoch }
        return systemOffset.map { Double(time) + $0 - Self.epoch }
    }

    /// The seconds by which local time is ahead of UTC, as a message states; `nil` if no place on earth has such a time,
    /// as where a device took both at different moments, or its clock was wrong.
    static func localOffset(_ message: FITMessage, _ field: UInt8) -> Double? {
        guard let time = message.integer(FITField.timestamp), let local = message.integer(field) else { return nil }
        let difference = Double(local) - Double(time)
        let offset = (difference / 900).rounded() * 900
        let isKnown = offset.remainder(dividingBy: 1_800) == 0 || quarterOffsets.contains(offset)
        guard isKnown, (-12 * 3_600...14 * 3_600).contains(offset), abs(difference - offset) <= 60 else { return nil }
        return offset
    }

    /// The offsets with a quarter of an hour: those of Nepal, of Eucla in Australia, and of the Chatham Islands.
    private static let quarterOffsets: Set<Double> = [20_700, 31_500, 45_900, 49_500]

    /// A version that is stored as a number, such as 9.1 for 9.10.
    private static func version(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
    }
}
