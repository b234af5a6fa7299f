#!/bin/bash
# Dumps the database of PGHOST, PGUSER and PGDATABASE every day, or every ten minutes until it succeeds, and deletes dumps
# that are older than a number of days: a person who is removed is in a dump for as long.
#
# usage: backup.sh FOLDER DAYS [once]
#
# Restore one into a new database, of which “hk database init” has created the role before:
#
#   pg_restore --clean --if-exists --exit-on-error --dbname=health FOLDER/health-….dump
set -euo pipefail
folder=$1 days=$2
umask 077
# Process 1 of a container is ended by a signal only if it says so.
trap exit TERM INT
while true; do
    SECONDS=0
    pause=86400
    name=$folder/health-$(date -u +%Y-%m-%dT%H%M%SZ).dump
    # Without the name of a dump until it is complete.
    if pg_dump --format=custom --no-password --file="$name.part"; then
        sync "$name.part"
        mv "$name.part" "$name"
        # For node_exporter: --collector.textfile.directory.
        printf '# TYPE database_backup_seconds gauge\ndatabase_backup_seconds %d\n' "$(date +%s)" >"$folder/backup.prom.part"
        chmod 644 "$folder/backup.prom.part"
        mv "$folder/backup.prom.part" "$folder/backup.prom"
        find "$folder" -name 'health-*.dump*' -mtime "+$days" -delete
    else
        # It would take space until it is as old as the others; the next attempt is soon.
        rm -f "$name.part"
        [ "${3:-}" = once ] && exit 1
        pause=600
    fi
    [ "${3:-}" = once ] && exit
    sleep $((SECONDS < pause ? pause - SECONDS : 1)) & wait $!
done
