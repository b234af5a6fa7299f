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

    @Test("An anchor is loaded for its own types only")
    func roundTrip() throws {
        try withFolder { folder in
            let store = FileAnchorStore(url: folder.appendingPathComponent("anchor"))
            #expect(try store.load(types: ["a", "b"]) == nil)
            let anchor = HKQueryAnchor(fromValue: 42)
            try store.save(anchor, types: ["b", "a"])
            #expect(try store.load(types: ["a", "b"]) == anchor)
            #expect(try store.load(types: ["a"]) == nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["anchor"])
        }
    }

    @Test("Files left by a crash are ignored")
    func aside() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("anchor")
            let store = FileAnchorStore(url: file)
            try store.save(HKQueryAnchor(fromValue: 1), types: ["a"])
            try Data("half".utf8).write(to: URL(fileURLWithPath: file.path + ".new"))
            #expect(try store.load(types: ["a"]) == HKQueryAnchor(fromValue: 1))
            try store.save(HKQueryAnchor(fromValue: 2), types: ["a"])
            #expect(try store.load(types: ["a"]) == HKQueryAnchor(fromValue: 2))
        }
    }

    @Test("A damaged anchor is an error, not a fresh start", arguments: [0, 1, 10, 40])
    func damaged(length: Int) throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("anchor")
            let store = FileAnchorStore(url: file)
            try store.save(HKQueryAnchor(fromValue: 7), types: ["a"])
            try Data(contentsOf: file).prefix(length).write(to: file)
            #expect(throws: AnchorStoreError.self) { try store.load(types: ["a"]) }
        }
    }

    @Test("Any flipped bit in the file is detected")
    func flipped() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("anchor")
            let store = FileAnchorStore(url: file)
            try store.save(HKQueryAnchor(fromValue: 7), types: ["a"])
            let whole = try Data(contentsOf: file)
            for place in whole.indices {
                var bytes = whole
                bytes[place] ^= 1 << UInt8(place % 8)
                try bytes.write(to: file)
                #expect(throws: AnchorStoreError.self, "byte \(place)") { try store.load(types: ["a"]) }
            }
        }
    }

    @Test("A missing folder is reported")
    func noFolder() {
        let store = FileAnchorStore(url: URL(fileURLWithPath: "/nonexistent/folder/anchor"))
        #expect(throws: AnchorStoreError.self) { try store.save(HKQueryAnchor(fromValue: 1), types: ["a"]) }
    }
}
