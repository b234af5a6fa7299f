import Foundation
import PostgreSQLTestSupport
import Testing

@Suite("hk backup and hk restore")
struct BackupTests {
    private let scratch = Scratch()

    @Test("A store is backed up, changed, and restored")
    func thereAndBack() throws {
        let store = try scratch.demoStore()
        let folder = scratch.file("backups").path
        let first = try CommandRun(["backup", folder], store: store)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.contains(/^Backup 2025-11-16T170000Z: \d+ KiB, of which \d+ KiB had changed\.\n$/))
        let same = try CommandRun(["backup", folder, "--verify"], store: store, now: "2025-11-16T13:00:00-05:00")
        #expect(
            same.output.contains(
                /^Backup 2025-11-16T180000Z: \d+ KiB, of which nothing had changed\.\nAll backups are sound\.\n$/))
        let before = try CommandRun(["samples", "bodyMass", "--json"], store: store).output
        #expect(try CommandRun(["add", "bodyMass", "70", "kg"], store: store).status == 0)
        let third = try CommandRun(["backup", folder, "--keep", "2"], store: store, now: "2025-11-17T12:00:00-05:00")
        #expect(third.lines.last == "Removed 1 older backup.")
        let list = try CommandRun(["backup", folder, "--list", "--json"], store: store).objects()
        #expect(list.map { $0["name"] as? String } == ["2025-11-16T180000Z", "2025-11-17T170000Z"])
        #expect(
            try CommandRun(["backup", folder, "--list"], store: store).output.contains(/^2025-11-16T180000Z  \d+ KiB\n/)
        )

        let refused = try CommandRun(["restore", folder, "--backup", "2025-11-16T180000Z"], store: store)
        #expect(refused.status == 64)
        #expect(
            refused.errors
                == "Error: There is a store at “\(store.path)”. Use --replace to put the backup in its place.\n")
        let restored = try CommandRun(["restore", folder, "--backup", "2025-11-16T180000Z", "--replace"], store: store)
        #expect(restored.errors == "")
        #expect(
            restored.output
                == "Restored the backup 2025-11-16T180000Z to \(store.path).\nThe previous store is \(store.path).before-2025-11-16T170000Z.\n"
        )
        #expect(try CommandRun(["samples", "bodyMass", "--json"], store: store).output == before)
        #expect(try CommandRun(["doctor"], store: store).status == 0)
        #expect(
            try CommandRun(["doctor", "--store", "\(store.path).before-2025-11-16T170000Z"], store: store).status == 0)
        let elsewhere = scratch.file("elsewhere.sqlite").path
        let json =
            try CommandRun(["restore", folder, "--store", elsewhere, "--json"], store: store).json() as? [String: Any]
        #expect(json?["backup"] as? String == "2025-11-17T170000Z")
        #expect(json?["store"] as? String == elsewhere)
    }

    @Test("A backup whose manifest is damaged is listed as such, and no backup is removed beside it")
    func damagedManifest() throws {
        let store = try scratch.demoStore()
        let folder = scratch.file("backups")
        #expect(try CommandRun(["backup", folder.path], store: store).status == 0)
        let manifest = folder.appendingPathComponent("backups/2025-11-16T170000Z.backup")
        try Data(contentsOf: manifest).prefix(100).write(to: manifest)
        let list = try CommandRun(["backup", folder.path, "--list"], store: store)
        #expect(list.status == 1 && list.output == "2025-11-16T170000Z  damaged\n" && list.errors == "")
        let next = try CommandRun(
            ["backup", folder.path, "--keep", "1"], store: store, now: "2025-11-16T13:00:00-05:00")
        #expect(next.status == 1)
        #expect(
            next.lines.dropFirst() == [
                "problem  The manifest of the backup 2025-11-16T170000Z is damaged. No backup is removed while it is there."
            ])
        let daemon = try CommandRun(
            ["daemon", "--once", "--backup", folder.path, "--backup-every", "1h"], store: store,
            now: "2025-11-16T15:00:00-05:00")
        #expect(
            daemon.output == "Backup 2025-11-16T200000Z. An earlier one is damaged; see “hk backup --list”.\n"
                && daemon.status == 1)
        let both = try CommandRun(["backup", folder.path, "--list", "--json"], store: store).objects()
        #expect(both.map { $0["isDamaged"] as? Bool } == [true, nil, nil])
        #expect(both.map { $0["bytes"] is Int } == [false, true, true])
        #expect(try CommandRun(["restore", folder.path], store: scratch.file("restored.sqlite")).status == 0)
    }

    @Test(
        "A token that was revoked stays revoked; where a server has no tokens, the command says that it restores them")
    func tokens() throws {
        let store = try scratch.demoStore()
        let folder = scratch.file("backups").path
        func names(_ store: URL) throws -> [String] {
            try CommandRun(["token", "list", "--json"], store: store).objects().compactMap { $0["name"] as? String }
        }
        for name in ["phone", "laptop"] {
            #expect(try CommandRun(["token", "add", name, "--owner"], store: store).status == 0)
        }
        #expect(try CommandRun(["backup", folder], store: store).status == 0)
        #expect(try CommandRun(["token", "revoke", "phone"], store: store).status == 0)
        let replaced = try CommandRun(["restore", folder, "--replace"], store: store)
        #expect(replaced.status == 0 && replaced.lines.count == 2, "\(replaced.output)\(replaced.errors)")
        #expect(try names(store) == ["laptop"])
        let elsewhere = scratch.file("elsewhere.sqlite")
        #expect(
            try CommandRun(["restore", folder], store: elsewhere).lines.last
                == "Restored 2 tokens of the server. Any that was revoked since the backup is valid again; see “hk token list”."
        )
        #expect(try names(elsewhere) == ["phone", "laptop"])
    }

    @Test("Failures of backup and restore are reported in one line")
    func errors() throws {
        let folder = scratch.file("backups").path
        let none = try CommandRun(["backup", folder], store: scratch.store)
        #expect(
            none.errors
                == "Error: No store found at “\(scratch.store.path)”. Use “hk import” to create one, or “hk --demo types” to look around.\n"
        )
        #expect(!FileManager.default.fileExists(atPath: folder))
        let nothing = try CommandRun(["restore", folder], store: scratch.store)
        #expect(nothing.status == 1)
        #expect(nothing.errors == "Error: “\(folder)” has no backups.\n")
        let database = try CommandRun(
            ["backup", folder, "--store", "postgresql://host/database?person=anna"], store: scratch.store)
        #expect(database.status == 64)
        #expect(
            database.errors
                == "Error: A database isn’t backed up to a folder. Use pg_dump for all of it, or “hk copy” to copy a person’s store to a file.\n"
        )
        let store = try scratch.demoStore()
        let full = try CommandRun(["backup", scratch.folder.path], store: store)
        #expect(full.errors == "Error: “\(scratch.folder.path)” isn’t empty, and isn’t a folder of backups.\n")
        #expect(try CommandRun(["backup", folder], store: store).status == 0)
        let missing = try CommandRun(
            ["restore", folder, "--backup", "yesterday", "--store", scratch.file("a.sqlite").path], store: store)
        #expect(missing.errors == "Error: “\(folder)” has no backup yesterday.\n")
        for wrong in [["--keep", "0"], ["--list", "--verify"]] {
            #expect(try CommandRun(["backup", folder] + wrong, store: store).status == 64)
        }
    }

    @Test("A damaged backup is found and not restored")
    func damaged() throws {
        let store = try scratch.demoStore()
        let folder = scratch.file("backups")
        #expect(try CommandRun(["backup", folder.path], store: store).status == 0)
        let chunks = try #require(FileManager.default.enumerator(atPath: folder.path + "/chunks")).compactMap {
            $0 as? String
        }
        .filter { $0.count == 67 }.sorted()
        let file = folder.appendingPathComponent("chunks/" + chunks[0])
        try Data(contentsOf: file).dropLast().write(to: file)
        let restore = try CommandRun(["restore", folder.path, "--store", scratch.file("a.sqlite").path], store: store)
        #expect(restore.status == 1)
        #expect(restore.errors == "Error: The chunk “\(file.path)” isn’t what was written.\n")
        #expect(!FileManager.default.fileExists(atPath: scratch.file("a.sqlite").path))
        // The store still has what the chunk had.
        #expect(try CommandRun(["backup", folder.path, "--verify"], store: store).status == 0)
        #expect(
            try CommandRun(["restore", folder.path, "--store", scratch.file("a.sqlite").path], store: store).status == 0
        )
    }
}
