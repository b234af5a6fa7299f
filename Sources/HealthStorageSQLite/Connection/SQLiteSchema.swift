import Foundation
import GRDB
import HealthStorage

/// The tables of a store file. Docs/Format/Store.md describes them column by column.
enum SQLiteSchema {
    /// The `PRAGMA application_id` of a store whose file has no checksums of pages, because it is encrypted or was
    /// created by an earlier program: the letters OHKS. Other stores have that of ``CheckedFile``.
    static let applicationID: Int32 = 0x4F48_4B53

    /// The schema version of this code, stored as `PRAGMA user_version`. A file without tables has version 0.
    static var version: Int { migrations.count }

    /// Migration `n` leads from version `n` to `n + 1`. A released migration must never be changed.
    static let migrations: [SQLiteMigration] = [
        SQLiteMigration { try createVersion1(in: $0) },
        SQLiteMigration(forReading: version2ForReading) { try $0.execute(sql: version2.joined(separator: ";\n")) },
    ]

    private static func createVersion1(in database: Database) throws {
        for table in version1 { try database.execute(sql: table) }
        try database.execute(
            sql: "INSERT INTO store (id, uuid, seed, last_sequence) VALUES (1, ?, ?, 0)",
            arguments: [
                withUnsafeBytes(of: UUID().uuid) { Data($0) }, Int64.random(in: .min ... .max),
            ])
    }
}

extension SQLiteSchema {
    /// The statements that create a store of version 1 in an empty file.
    static let version1 = [
        """
        CREATE TABLE store (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            uuid BLOB NOT NULL,
            seed INTEGER NOT NULL,
            last_sequence INTEGER NOT NULL)
        """,
        // Headers are separate from long bodies, so that scans of headers read dense pages of the file.
        """
        CREATE TABLE page_header (
            type INTEGER NOT NULL,
            first_start REAL NOT NULL,
            first_sequence INTEGER NOT NULL,
            last_start REAL NOT NULL,
            greatest_end REAL NOT NULL,
            least_sequence INTEGER NOT NULL,
            greatest_sequence INTEGER NOT NULL,
            sequence_bound INTEGER NOT NULL,
            count INTEGER NOT NULL,
            body_id INTEGER,
            header BLOB NOT NULL,
            body BLOB,
            PRIMARY KEY (type, first_start, first_sequence)) WITHOUT ROWID
        """,
        // A bound instead of the maximum sequence itself, because it rarely changes while a page grows.
        "CREATE INDEX page_sequence ON page_header (type, sequence_bound, least_sequence)",
        // Finds the last allocated numbers of all types.
        "CREATE INDEX page_bound ON page_header (sequence_bound)",
        "CREATE TABLE page_body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)",
        // An upper bound of the length of the type's pages, which determines where a time window's first page can be.
        "CREATE TABLE page_span (type INTEGER PRIMARY KEY, longest REAL NOT NULL)",
        """
        CREATE TABLE object (
            sequence INTEGER PRIMARY KEY,
            type INTEGER NOT NULL,
            start REAL NOT NULL,
            "end" REAL NOT NULL,
            uuid BLOB,
            revision INTEGER NOT NULL,
            device INTEGER NOT NULL,
            payload BLOB NOT NULL)
        """,
        "CREATE INDEX object_time ON object (type, start, sequence, \"end\")",
        "CREATE INDEX object_sequence ON object (type, sequence)",
        """
        CREATE TABLE link (
            owner INTEGER NOT NULL,
            member INTEGER NOT NULL,
            owner_type INTEGER NOT NULL,
            member_type INTEGER NOT NULL,
            PRIMARY KEY (owner, member)) WITHOUT ROWID
        """,
        "CREATE INDEX link_member ON link (member, owner)",
        "CREATE INDEX link_type ON link (owner_type, member_type, member)",
        """
        CREATE TABLE identity (
            uuid BLOB PRIMARY KEY,
            type INTEGER NOT NULL,
            sequence INTEGER NOT NULL) WITHOUT ROWID
        """,
        "CREATE TABLE sync_source (id INTEGER PRIMARY KEY, bundle TEXT NOT NULL UNIQUE)",
        """
        CREATE TABLE sync (
            source INTEGER NOT NULL,
            type INTEGER NOT NULL,
            identifier TEXT NOT NULL,
            version REAL NOT NULL,
            sequence INTEGER NOT NULL,
            PRIMARY KEY (source, type, identifier)) WITHOUT ROWID
        """,
        """
        CREATE TABLE tombstone (
            sequence INTEGER PRIMARY KEY,
            type INTEGER NOT NULL,
            uuid BLOB NOT NULL,
            sync_identifier TEXT,
            sync_version REAL)
        """,
        """
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            bundle TEXT NOT NULL,
            name TEXT NOT NULL,
            UNIQUE (bundle, name))
        """,
        """
        CREATE TABLE revision (
            id INTEGER PRIMARY KEY,
            source INTEGER NOT NULL,
            version TEXT,
            product TEXT,
            os_major INTEGER NOT NULL,
            os_minor INTEGER NOT NULL,
            os_patch INTEGER NOT NULL)
        """,
        """
        CREATE INDEX revision_content ON revision
            (source, version, product, os_major, os_minor, os_patch)
        """,
        """
        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            name TEXT,
            manufacturer TEXT,
            model TEXT,
            hardware TEXT,
            firmware TEXT,
            software TEXT,
            local_identifier TEXT,
            udi TEXT)
        """,
        """
        CREATE INDEX device_content ON device
            (name, model, hardware, software, local_identifier, udi)
        """,
        "CREATE TABLE unit (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)",
        """
        CREATE TABLE type (
            code INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            kind INTEGER NOT NULL)
        """,
        """
        CREATE TABLE setting (
            namespace TEXT NOT NULL,
            key TEXT NOT NULL,
            value BLOB NOT NULL,
            PRIMARY KEY (namespace, key)) WITHOUT ROWID
        """,
    ]
}

extension SQLiteSchema {
    /// The statements that lead from version 1 to 2: links to consecutive members are kept in runs, of which each has
    /// the class of its length. Docs/Decisions/Writing-and-importing.md has the reasons.
    static let version2 = [
        """
        CREATE TABLE link_run (
            owner INTEGER NOT NULL,
            first_member INTEGER NOT NULL,
            last_member INTEGER NOT NULL,
            owner_type INTEGER NOT NULL,
            member_type INTEGER NOT NULL,
            reach INTEGER NOT NULL,
            PRIMARY KEY (owner, first_member)) WITHOUT ROWID
        """,
        // A run has at most 4,096 members.
        """
        INSERT INTO link_run
        SELECT owner, min(member), max(member), owner_type, member_type,
            CASE WHEN count(*) = 1 THEN 0 WHEN count(*) <= 64 THEN 1 ELSE 2 END
        FROM (
            SELECT owner, member, owner_type, member_type, island,
                (row_number() OVER (PARTITION BY owner, owner_type, member_type, island ORDER BY member) - 1) / 4096 AS piece
            FROM (
                SELECT *, member - row_number() OVER (PARTITION BY owner, owner_type, member_type ORDER BY member) AS island
                FROM link))
        GROUP BY owner, owner_type, member_type, island, piece
        """,
        "DROP TABLE link",
        "CREATE INDEX link_run_member ON link_run (reach, first_member, owner)",
        "CREATE INDEX link_run_type ON link_run (owner_type, member_type, first_member)",
    ]

    /// What lets a file of version 1 that may not be written be read like one of version 2.
    static let version2ForReading = """
        CREATE TEMPORARY VIEW link_run AS
        SELECT owner, member AS first_member, member AS last_member, owner_type, member_type, 0 AS reach FROM link
        """
}
