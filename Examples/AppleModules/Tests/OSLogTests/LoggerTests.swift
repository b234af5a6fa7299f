import Foundation
import Logging
import Testing

@testable import os

/// As code for Apple's systems uses it.
@Suite("os.Logger")
struct LoggerTests {
    private let recording = Recording()

    @Test("Levels are those of swift-log, and the category is metadata")
    func levels() {
        let logger = recording.logger()
        logger.trace("a")
        logger.debug("b")
        logger.info("c")
        logger.notice("d")
        logger.log("e")
        logger.warning("f")
        logger.error("g")
        logger.critical("h")
        logger.fault("i")
        for type in [OSLogType.default, .info, .debug, .error, .fault] { logger.log(level: type, "j") }
        #expect(
            recording.lines.map(\.level) == [
                .trace, .debug, .info, .notice, .notice, .warning, .error, .critical, .critical,
                .notice, .info, .debug, .error, .critical,
            ])
        #expect(recording.texts.prefix(9).joined() == "abcdefghi")
        #expect(Set(recording.lines.map(\.category)) == ["health"])
    }

    @Test("Strings, objects and errors are private unless declared public; numbers and types are public")
    func privacy() {
        struct Failure: Error {}
        let (logger, name) = (recording.logger(), "Mia")
        logger.info("\(name) \(name, privacy: .public) \(3) \(2.5) \(true) \(Int.self)")
        logger.info("\(3, privacy: .private) \(2.5, privacy: .sensitive) \(Failure()) \(Failure(), privacy: .public)")
        logger.info("\(URL(fileURLWithPath: "/tmp")) \([1, 2]) \(NSString("x")) \(NSString("x"), privacy: .public)")
        #expect(
            recording.texts == [
                "<private> Mia 3 2.500000 true Int", "<private> <private> <private> Failure()",
                "<private> <private> <private> x",
            ])
    }

    @Test("A mask is equal for equal values, and doesn't contain the value")
    func mask() {
        let logger = recording.logger()
        for name in ["Mia", "Mia", "Ben"] { logger.info("\(name, privacy: .private(mask: .hash))") }
        let texts = recording.texts
        #expect(texts[0] == texts[1] && texts[0] != texts[2])
        #expect(texts[0].hasPrefix("<mask.hash: '") && !texts[0].contains("Mia"))
    }

    @Test("Formats and alignment")
    func formats() {
        let logger = recording.logger()
        logger.info(
            "\(255, format: .hex) \(255, format: .hex(includePrefix: true, uppercase: true)) \(-8, format: .octal)")
        logger.info(
            "\(7, format: .decimal(explicitPositiveSign: true, minDigits: 3)) \(1.0 / 3, format: .fixed(precision: 2))")
        logger.info(
            "\(12_345.678, format: .exponential(precision: 1)) \(0.5, format: .hybrid) \(false, format: .answer)")
        logger.info("[\("ab", align: .right(columns: 4), privacy: .public)] [\(5, align: .left(columns: 3))]")
        #expect(recording.texts == ["ff 0xFF -10", "+007 0.33", "1.2e+04 0.5 no", "[  ab] [5  ]"])
    }

    @Test("A message that isn't written isn't composed")
    func laziness() {
        var count = 0
        func value() -> Int {
            count += 1
            return count
        }
        let logger = recording.logger(.error)
        logger.debug("\(value())")
        os.Logger(.disabled).error("\(value())")
        #expect(count == 0 && recording.lines.isEmpty)
        logger.error("\(value())")
        #expect(recording.texts == ["1"])
    }

    @Test("os_log formats as printf does, with objects and privacy")
    func functions() {
        let log = OSLog(recording.logger())
        let name: NSString = "Mia"
        os_log("Text", log: log)
        os_log("%{public}@ %@ %d %5.2f|%-4d|%x %%", log: log, type: .error, name, name, 3, 2.5, 7, Int32(-1))
        os_log("%{public}s, %{private}d, %{public, mask.hash}@", log: log, name, 5, name)
        os_log(.debug, log: log, "\(4) of \("x", privacy: .public)")
        os_log("%d %@", log: log, 1)
        os_log("%.*f %lld %zd", log: log, 1, 0.25, Int64(9), 8)
        #expect(
            recording.texts == [
                "Text", "Mia <private> 3  2.50|7   |ffffffff %", "Mia, <private>, Mia", "4 of x",
                "1 <decode: missing data>", "0.2 9 8",
            ])
        #expect(recording.lines.map(\.level) == [.notice, .error, .notice, .debug, .notice, .notice])
        #expect(log.isEnabled(type: .debug) && !OSLog.disabled.isEnabled(type: .fault))
    }
}
