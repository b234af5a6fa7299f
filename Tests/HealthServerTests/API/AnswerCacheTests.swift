import Foundation
import HealthEngine
import NIOCore
import Testing

@testable import HealthServer

@Suite("Answers that are kept")
struct AnswerCacheTests {
    private let folder: TemporaryServerFolder
    private let cache: AnswerCache
    private let key = AnswerCache.Key(
        route: "statistics", query: "type=stepCount", bundleIdentifier: "me", permission: .owner, timeZone: "GMT")

    init() throws {
        folder = try TemporaryServerFolder()
        cache = AnswerCache(path: folder.path + "/store")
    }

    /// Changes the store's log as another process would, some seconds ago.
    private func commit(_ text: String, secondsAgo: Double) throws {
        let path = folder.path + "/store-wal"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)], ofItemAtPath: path)
    }

    @Test("An answer is known until the store changes, by another process as well")
    func validity() throws {
        try commit("a", secondsAgo: 100)
        let (unknown, version) = cache.answer(to: key)
        #expect(unknown == nil)
        cache.keep(ByteBuffer(string: "1"), for: key, of: version)
        #expect(cache.answer(to: key).0 == ByteBuffer(string: "1"))
        var other = key
        other.bundleIdentifier = "app"
        #expect(cache.answer(to: other).0 == nil)
        // The log has the same size when it is written again from its beginning.
        try commit("b", secondsAgo: 50)
        #expect(cache.answer(to: key).0 == nil)
        // What was computed before a change isn't kept as the state after it.
        cache.keep(ByteBuffer(string: "1"), for: key, of: version)
        #expect(cache.answer(to: key).0 == nil)
    }

    @Test("Nothing is kept just after a change, because the next may have the same date")
    func settling() throws {
        try commit("a", secondsAgo: 0)
        let (_, version) = cache.answer(to: key)
        cache.keep(ByteBuffer(string: "1"), for: key, of: version)
        #expect(cache.answer(to: key).0 == nil)
    }

    @Test("Large answers are not kept")
    func size() throws {
        try commit("a", secondsAgo: 100)
        let (_, version) = cache.answer(to: key)
        cache.keep(ByteBuffer(repeating: 0, count: 300 << 10), for: key, of: version)
        #expect(cache.answer(to: key).0 == nil)
    }
}
