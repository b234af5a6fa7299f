import Foundation
import HealthKit
import HealthWatcher
import Testing

@Suite("Anchors in a file")
struct FileAnchorStoreTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test("Anchors are loaded for their types")
    func roundTrip() throws {
        try withFolder { folder in
            let store = FileAnchorStore(url: folder.appendingPathComponent("anchor"))
            #expect(try store.load() == [:])
            let (one, other) = (HKQueryAnchor(fromValue: 42), HKQueryAnchor(fromValue: 7))
            try store.save(["a": one, "b": other, "c": one])
            #expect(try store.load() == ["a": one, "b": other, "c": one])
            try store.save(["b": one])
            #expect(try store.load() == ["b": one])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["anchor"])
        }
    }

    @Test("Tasks that save to one file at once don't make each other fail")
    func simultaneousSaves() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileAnchorStore(url: folder.appendingPathComponent("anchor"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 1...4 {
                group.addTask {
                    for number in 1...25 {
                        try store.save(["a": HKQueryAnchor(fromValue: task * 100 + number)])
                        #expect(try store.load().count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["anchor"])
    }

    @Test("A file of a newer version is refused")
    func newerVersion() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("anchor")
            let anchor = HKQueryAnchor(fromValue: 5)
            try FileAnchorStore(url: file).save(["a": anchor, "b": anchor])
            var bytes = try Data(contentsOf: file)
            #expect(bytes[4] == 1)
            #expect(try FileAnchorStore(url: file).load() == ["a": anchor, "b": anchor])
            bytes[4] = 2
            try bytes.write(to: file)
            let error = #expect(throws: AnchorStoreError.self) { try FileAnchorStore(url: file).load() }
            #expect(error?.description.hasSuffix("was written by a newer version.") == true)
        }
    }

    @Test("Files left by a crash are ignored")
    func aside() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("anchor")
            let store = FileAnchorStore(url: file)
            try store.save(["a": HKQueryAnchor(fromValue: 1)])
            try Data("half".utf8).write(to: URL(fileURLWithPath: file.path + ".new"))
            #expect(try store.load() == ["a": HKQueryAnchor(fromValue: 1)])
            try store.save(["a": HKQueryAnchor(fromValue: 2)])
            #expect(try store.load() == ["a": HKQueryAnchor(fromValue: 2)])
        }
    }

    @Test("A damaged anchor is an error, not a fresh start", arguments: [0, 1, 10, 40])
    func damaged(length: Int) throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("anchor")
            let store = FileAnchorStore(url: file)
            try store.save(["a": HKQueryAnchor(fromValue: 7)])
            try Data(contentsOf: file).prefix(length).write(to: file)
            #expect(throws: AnchorStoreError.self) { try store.load() }
        }
    }

    @Test("Any flipped bit in the file is detected")
    func flipped() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("anchor")
            let store = FileAnchorStore(url: file)
            try store.save(["a": HKQueryAnchor(fromValue: 7)])
            let whole = try Data(contentsOf: file)
            for place in whole.indices {
                var bytes = whole
                bytes[place] ^= 1 << UInt8(place % 8)
                try bytes.write(to: file)
                #expect(throws: AnchorStoreError.self, "byte \(place)") { try store.load() }
            }
        }
    }

    @Test("A missing folder is reported")
    func noFolder() {
        let store = FileAnchorStore(url: URL(fileURLWithPath: "/nonexistent/folder/anchor"))
        #expect(throws: AnchorStoreError.self) { try store.save(["a": HKQueryAnchor(fromValue: 1)]) }
    }
}
