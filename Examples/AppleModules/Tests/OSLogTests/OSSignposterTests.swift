import Logging
import OSLog
import Testing

@testable import os

@Suite("Signposts")
struct OSSignposterTests {
    private let recording = Recording()

    @Test("Intervals and events are messages of the level trace, and an end says how long the interval was")
    func intervals() {
        let signposter = OSSignposter(logger: recording.logger())
        let (first, second) = (signposter.makeSignpostID(), signposter.makeSignpostID())
        #expect(first != second && first != .exclusive && signposter.isEnabled)
        let state = signposter.beginInterval("load", id: first, "\(3) samples")
        signposter.emitEvent("page")
        signposter.endInterval("load", state)
        #expect(signposter.withIntervalSignpost("sum") { 42 } == 42)
        let texts = recording.texts
        #expect(texts.count == 5)
        #expect(texts[0] == "signpost begin load #\(first.rawValue) 3 samples" && texts[1] == "signpost event page")
        #expect(texts[2].hasPrefix("signpost end load #\(first.rawValue) ") && texts[2].contains("seconds"))
        #expect(texts[3] == "signpost begin sum" && texts[4].hasPrefix("signpost end sum "))
        #expect(Set(recording.lines.map(\.level)) == [.trace])
    }

    @Test("os_signpost writes the same")
    func functions() {
        let log = OSLog(recording.logger())
        let id = OSSignpostID(log: log)
        os_signpost(.begin, log: log, name: "fetch", signpostID: id)
        os_signpost(.end, log: log, name: "fetch", signpostID: id, "%d of %{public}s", 3, "all")
        os_signpost(.event, log: .disabled, name: "none")
        #expect(
            recording.texts == ["signpost begin fetch #\(id.rawValue)", "signpost end fetch #\(id.rawValue) 3 of all"])
        #expect(log.signpostsEnabled && !OSLog.disabled.signpostsEnabled)
    }
}
