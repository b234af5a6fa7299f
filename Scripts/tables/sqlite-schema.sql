CREATE TABLE store (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    uuid BLOB NOT NULL,
    seed INTEGER NOT NULL,
    last_sequence INTEGER NOT NULL);

-- Headers are separate from long bodies, so that scans of headers read dense pages of the file.
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
    PRIMARY KEY (type, first_start, first_sequence)) WITHOUT ROWID;

-- A bound instead of the maximum sequence itself, because it rarely changes while a page grows.
CREATE INDEX page_sequence ON page_header (type, sequence_bound, least_sequence);

-- Finds the last allocated numbers of all types.
CREATE INDEX page_bound ON page_header (sequence_bound);

CREATE TABLE page_body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

-- An upper bound of the length of the type's pages, which determines where a time window's first page can be.
CREATE TABLE page_span (type INTEGER PRIMARY KEY, longest REAL NOT NULL);

CREATE TABLE object (
    sequence INTEGER PRIMARY KEY,
    type INTEGER NOT NULL,
    start REAL NOT NULL,
    "end" REAL NOT NULL,
    uuid BLOB,
    revision INTEGER NOT NULL,
    device INTEGER NOT NULL,
    payload BLOB NOT NULL);

CREATE INDEX object_time ON object (type, start, sequence, "end");

CREATE INDEX object_sequence ON object (type, sequence);

-- A run has at most 4,096 members, and the class of its length. Docs/Decisions/Writing-and-importing.md has the
-- reasons.
CREATE TABLE link_run (
    owner INTEGER NOT NULL,
    first_member INTEGER NOT NULL,
    last_member INTEGER NOT NULL,
    owner_type INTEGER NOT NULL,
    member_type INTEGER NOT NULL,
    reach INTEGER NOT NULL,
    PRIMARY KEY (owner, first_member)) WITHOUT ROWID;

CREATE INDEX link_run_member ON link_run (reach, first_member, owner);

CREATE INDEX link_run_type ON link_run (owner_type, member_type, first_member);

CREATE TABLE identity (
    uuid BLOB PRIMARY KEY,
    type INTEGER NOT NULL,
    sequence INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE sync_source (id INTEGER PRIMARY KEY, bundle TEXT NOT NULL UNIQUE);

CREATE TABLE sync (
    source INTEGER NOT NULL,
    type INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    version REAL NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (source, type, identifier)) WITHOUT ROWID;

CREATE TABLE tombstone (
    sequence INTEGER PRIMARY KEY,
    type INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    sync_identifier TEXT,
    sync_version REAL,
    start REAL,
    "end" REAL,
    revision INTEGER);

CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    bundle TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (bundle, name));

CREATE TABLE revision (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    version TEXT,
    product TEXT,
    os_major INTEGER NOT NULL,
    os_minor INTEGER NOT NULL,
    os_patch INTEGER NOT NULL);

CREATE INDEX revision_content ON revision
    (source, version, product, os_major, os_minor, os_patch);

CREATE TABLE device (
    id INTEGER PRIMARY KEY,
    name TEXT,
    manufacturer TEXT,
    model TEXT,
    hardware TEXT,
    firmware TEXT,
    software TEXT,
    local_identifier TEXT,
    udi TEXT);

CREATE INDEX device_content ON device
    (name, model, hardware, software, local_identifier, udi);

CREATE TABLE unit (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

CREATE TABLE type (
    code INTEGER PRIMARY KEY,
    identifier TEXT NOT NULL UNIQUE,
    kind INTEGER NOT NULL);

CREATE TABLE setting (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (namespace, key)) WITHOUT ROWID;
