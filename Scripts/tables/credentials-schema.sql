CREATE TABLE credential (
    id text PRIMARY KEY,
    kind text NOT NULL,
    scope text NOT NULL,
    digest text UNIQUE,
    parent text REFERENCES credential (id) ON DELETE CASCADE,
    people text NOT NULL,
    name text NOT NULL,
    bundle_identifier text,
    may_choose int8 NOT NULL,
    is_read_only int8 NOT NULL,
    created float8 NOT NULL,
    expires float8,
    last_used float8,
    secret text,
    time_zone text);

CREATE TABLE credential_person (
    person text NOT NULL,
    credential text NOT NULL REFERENCES credential (id) ON DELETE CASCADE,
    PRIMARY KEY (person, credential));

CREATE INDEX credential_person_credential ON credential_person (credential);

CREATE INDEX credential_parent ON credential (parent);

CREATE INDEX credential_token ON credential (created, id) WHERE kind = 'token';

CREATE INDEX credential_session ON credential (created) WHERE kind = 'session';

CREATE INDEX credential_people ON credential (kind, scope, (substr(people, 1, 200)), created);

CREATE INDEX credential_end ON credential (expires) WHERE kind <> 'token';
