#!/bin/bash
# Run by the image of PostgreSQL when the database is created: the servers' user, a member of the role that sees one
# person's rows at a time. “hk database init” grants this role its tables.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$SERVER_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE openhealthkit_server NOLOGIN;
CREATE ROLE server LOGIN PASSWORD :'password' IN ROLE openhealthkit_server;
SQL
