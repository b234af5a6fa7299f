import Foundation
import HealthStorage
import HealthStorageSQLite
import Testing

@Suite("hk doctor")
struct DoctorTests {
    private let scratch = Scratch()

    @Test(
        "A change by sqlite3 to a store that no process has open is checked and accepted; a change in place isn't"
    )
    func foreignProgram() throws {
        let store = try scratch.demoStore()
        func sqlite3(_ statement: String) throws {
            let run = try CommandRun(shell: "sqlite3 '\(store.path)' '\(statement)'", store: store)
            #expect(run.status == 0, "\(run.errors)")
        }
        let types = try CommandRun(["types"], store: store).output
        for statement in ["ANALYZE", "ANALYZE", "VACUUM"] {
            try sqlite3(statement)
            #expect(try CommandRun(["types"], store: store).output == types, "\(statement)")
            #expect(try CommandRun(["doctor"], store: store).status == 0)
        }
        try sqlite3("UPDATE store SET seed = seed + 1")
        let run = try CommandRun(["types"], store: store)
        #expect(run.status == 1 && run.output == "")
        #expect(
            run.errors.contains("isn’t what was written")
                && run.errors.contains("or another program, such as sqlite3, has written to it."), "\(run.errors)")
    }

    @Test("A healthy store has no findings")
    func healthy() throws {
        let run = try CommandRun(["doctor"], store: Demo.shared.store)
        #expect(run.status == 0)
        #expect(run.lines[0] == "store    \(Demo.shared.store.path)")
        #expect(run.lines[2] == "samples  3,063")
        #expect(run.lines.last == "No problems found.")
        let answer = try #require(
            try CommandRun(["doctor", "--json"], store: Demo.shared.store).json() as? [String: Any])
        #expect(Set(answer.keys) == ["store", "bytes", "samples", "bytesPerSample", "findings"])
        #expect((answer["findings"] as? [String])?.isEmpty == true)
    }

    @Test("Through a symbolic link, the facts are those of the store")
    func symbolicLink() throws {
        let store = try scratch.demoStore()
        let link = scratch.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.path)
        let owned = try CommandRun(["doctor"], store: link)
        #expect(owned.lines[0] == "store    \(link.path)")
        #expect(!owned.output.contains("access   "))
        #expect(try CommandRun(["doctor"], store: store).lines.dropFirst() == owned.lines.dropFirst())
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store.path)
        #expect(try CommandRun(["doctor"], store: link).output.contains("access   Other users can open the store."))
    }

    @Test("A store whose log is missing is reported, by every command, and can be repaired")
    func missingLog() throws {
        let store = try scratch.demoStore()
        let open = try SQLiteStorage(path: store.path)
        try open.write { try $0.setValue([1], namespace: "test", key: "last") }
        let copy = scratch.file("copy.sqlite")
        try FileManager.default.copyItem(at: store, to: copy)
        try open.close()
        for command in [["types"], ["add", "stepCount", "7", "count"], ["doctor"]] {
            let run = try CommandRun(command, store: copy)
            #expect(run.status == 1 && (run.errors + run.output).contains("-wal, the log of \(copy.path), is missing"))
        }
        let repaired = try CommandRun(["doctor", "--repair"], store: copy)
        #expect(repaired.status == 0)
        #expect(repaired.output.contains("Kept 3,000 samples, 63 other objects"), "\(repaired.output)")
        #expect(try CommandRun(["doctor"], store: copy).status == 0)
    }

    @Test("A missing store is reported and not created")
    func missing() throws {
        let run = try CommandRun(["doctor"], store: scratch.store)
        #expect(run.status == 64)
        #expect(
            run.errors
                == "Error: No store found at “\(scratch.store.path)”. Use “hk import” to create one, or “hk --demo types” to look around.\n"
        )
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
    }

    /// A copy of the demo store in one file, without a log beside it.
    private func oneFile() throws -> Data {
        let store = try scratch.demoStore()
        // The last connection to close checkpoints the log into the file; an import that adds nothing does that.
        _ = try CommandRun(["import", Demo.shared.file("demo.zip").path, "--quiet"], store: store)
        let log = (try? Data(contentsOf: URL(fileURLWithPath: store.path + "-wal")))?.count ?? 0
        #expect(log == 0, "the log was checkpointed")
        return try Data(contentsOf: store)
    }

    @Test("Damage in the middle of the file is found or harmless, and never causes a crash")
    func damaged() throws {
        let whole = try oneFile()
        let seed: UInt64 = 20_251_116
        var state = seed
        func next(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        var found = 0
        for round in 0..<12 {
            var bytes = whole
            // Leaves the first page, SQLite's header, intact.
            let place = 4_096 + next(whole.count - 4_096 - 600)
            for offset in 0..<600 { bytes[place + offset] = UInt8(next(256)) }
            let store = scratch.file("damaged-\(round).sqlite")
            try bytes.write(to: store)
            let run = try CommandRun(["doctor"], store: store)
            #expect(run.status == 0 || run.status == 1, "seed \(seed), at \(place): \(run.status) \(run.errors)")
            if run.status == 1 {
                found += 1
                #expect(
                    run.output.contains("problem  ") || run.errors.hasPrefix("Error: "), "seed \(seed), at \(place)")
            }
            for query in [["types"], ["stats", "heartRate"], ["samples", "stepCount", "--limit", "0"]] {
                let run = try CommandRun(query, store: store)
                #expect(run.status == 0 || run.status == 1, "seed \(seed), at \(place), \(query): \(run.status)")
                if run.status == 1 { #expect(run.errors.split(separator: "\n").count == 1) }
            }
        }
        #expect(found > 0, "seed \(seed)")
    }

    /// Damages 16 bytes of a store file. Without checksums of the file's pages, they are as a program left them that
    /// writes none.
    private func damage(_ whole: Data, at place: Int, hasChecksums: Bool) -> Data {
        var bytes = whole
        for offset in 0..<16 { bytes[place + offset] ^= 0x55 }
        if !hasChecksums {
            // Pages without a checksum are accepted if the record of the log is gone, as after a foreign checkpoint.
            for offset in 72..<92 { bytes[offset] = 0 }
            for page in [0, place / 4_096, (place + 15) / 4_096] {
                for offset in 1...8 { bytes[(page + 1) * 4_096 - offset] = 0 }
            }
        }
        return bytes
    }

    @Test("Damage in any page of the file is detected by the page’s checksum, and a flipped bit is corrected")
    func pageChecksum() throws {
        let whole = try oneFile()
        let store = scratch.file("damaged.sqlite")
        let page = whole.count / 4_096 - 2
        let problem = "Page \(page + 1) of \(store.path) isn’t what was written."
        try damage(whole, at: page * 4_096 + 2_000, hasChecksums: true).write(to: store)
        let run = try CommandRun(["doctor"], store: store)
        #expect(run.status == 1 && run.lines.contains("problem  \(problem)"))
        // The pages of the tables that every command reads.
        for page in [0, 1] {
            try? FileManager.default.removeItem(atPath: store.path + "-wal")
            try damage(whole, at: page * 4_096 + 2_000, hasChecksums: true).write(to: store)
            for query in [["types"], ["stats", "stepCount"], ["samples", "stepCount", "--limit", "0"]] {
                let answer = try CommandRun(query, store: store)
                #expect(answer.status == 1 && answer.output.isEmpty)
                let place = "Page \(page + 1) of \(store.path) isn’t what was written."
                #expect(answer.errors.contains(": \(place) The disk has lost it, or "), "\(answer.errors)")
            }
        }
        var bytes = whole
        bytes[page * 4_096 + 2_000] ^= 1
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + suffix) }
        try bytes.write(to: store)
        let repair = try CommandRun(["doctor", "--repair"], store: store)
        #expect(repair.status == 0 && repair.lines.contains("problem  \(problem)"))
        #expect(!repair.output.contains("lost"))
        for query in [["types"], ["stats", "stepCount", "--every", "day"], ["profile"]] {
            #expect(try CommandRun(query, store: store).output == CommandRun(query, store: Demo.shared.store).output)
        }
    }

    @Test("Damage in a page of samples is detected by its checksum")
    func checksum() throws {
        let whole = try oneFile()
        let store = scratch.file("damaged.sqlite")
        var hits = 0
        var place = whole.count - 10_000
        while hits == 0, place > 8_192 {
            let bytes = damage(whole, at: place, hasChecksums: false)
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + suffix) }
            try bytes.write(to: store)
            let run = try CommandRun(["doctor"], store: store)
            let page =
                #/problem  Page \d+ of (HKQuantity[A-Za-z]+) cannot be read: body checksum at \d+ does not match in the page of /#
            if let found = run.output.firstMatch(of: page) {
                hits += 1
                #expect(run.status == 1)
                let type = String(found.output.1)
                // Statistics over all time need only page headers; hourly statistics need the bodies.
                for query in [["stats", type, "--every", "hour"], ["samples", type, "--limit", "0"]] {
                    let answer = try CommandRun(query, store: store)
                    #expect(answer.status == 1)
                    #expect(answer.errors.hasPrefix("Error: The store is damaged; run “hk doctor” for details: "))
                    #expect(answer.errors.contains(" does not match in the page of \(type) that begins with number "))
                }
                let json = try CommandRun(["doctor", "--json"], store: store)
                #expect(json.status == 1)
                #expect(((try json.json() as? [String: Any])?["findings"] as? [String])?.isEmpty == false)
            }
            place -= 3_000
        }
        #expect(hits == 1)
    }

    @Test("A damaged store is repaired: what is lost is listed, the rest answers as before")
    func repair() throws {
        let whole = try oneFile()
        let store = scratch.store
        let nothing = try CommandRun(["doctor", "--repair"], store: store)
        #expect(nothing.status == 0)
        #expect(nothing.lines.last == "No problems found.")
        var place = whole.count - 10_000
        while place > 8_192 {
            let bytes = damage(whole, at: place, hasChecksums: false)
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + suffix) }
            try bytes.write(to: store)
            let problem =
                #/problem  Page \d+ of (HKQuantity[A-Za-z]+) cannot be read: body checksum at \d+ does not match in the page of /#
            if let found = try CommandRun(["doctor"], store: store).output.firstMatch(of: problem) {
                let type = String(found.output.1)
                let run = try CommandRun(["doctor", "--repair"], store: store)
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.output.contains(#/Kept [\d,]+ samples, \d+ other objects and \d+ deletions\.\n/#))
                #expect(run.output.contains("lost  A page of \(type) cannot be read: body checksum at "))
                #expect(run.lines.last == "The damaged store is \(store.path).damaged-2025-11-16T170000Z.")
                #expect(try CommandRun(["doctor"], store: store).lines.last == "No problems found.")
                let other = type == "HKQuantityTypeIdentifierStepCount" ? "heartRate" : "stepCount"
                for query in [["stats", other, "--every", "day"], ["profile"]] {
                    #expect(
                        try CommandRun(query, store: store).output == CommandRun(query, store: Demo.shared.store).output
                    )
                }
                // SQLite's header changes with the end of its log, and pages without a checksum were given theirs.
                let kept = try Data(contentsOf: URL(fileURLWithPath: store.path + ".damaged-2025-11-16T170000Z"))
                #expect(kept.count == bytes.count)
                for page in stride(from: 4_096, to: bytes.count, by: 4_096) {
                    #expect(kept[page..<page + 4_088] == bytes[page..<page + 4_088])
                }
                return
            }
            place -= 3_000
        }
        Issue.record("no page was damaged")
    }

    @Test("A truncated store, and files that are not a store")
    func noStore() throws {
        try oneFile().prefix(50_000).write(to: scratch.file("cut.sqlite"))
        let cut = try CommandRun(["doctor"], store: scratch.file("cut.sqlite"))
        #expect(cut.status == 1)
        try Data("not a store, not by any means a store".utf8).write(to: scratch.file("text.sqlite"))
        for command in [
            ["doctor"], ["types"], ["sources"], ["samples", "stepCount"], ["stats", "stepCount"], ["rings"], ["energy"],
            ["profile"], ["authorize"], ["watch", "--once"], ["add", "bodyMass", "70", "kg"],
            ["import", Demo.shared.file("demo.zip").path],
        ] {
            let run = try CommandRun(command, store: scratch.file("text.sqlite"))
            #expect(run.status == 1)
            #expect(run.output == "")
            #expect(run.errors == "Error: \(scratch.file("text.sqlite").path) is not a health store.\n")
        }
        let folder = try CommandRun(["types"], store: scratch.folder)
        #expect(folder.status == 1)
        #expect(folder.errors.split(separator: "\n").count == 1)
        let nowhere = try CommandRun(
            ["add", "bodyMass", "70", "kg", "--store", "/proc/nowhere/a.sqlite"], store: scratch.store)
        #expect(nowhere.status == 1)
        #expect(nowhere.errors.split(separator: "\n").count == 1)
    }
}
