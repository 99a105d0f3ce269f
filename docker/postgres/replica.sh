#!/bin/bash
# A copy of the primary, made once and moved into place when it is whole; from then on it follows the primary's log.
set -eu
password=$(cat /run/secrets/replication-password)

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "$PGDATA" "$PGDATA.new"
  mkdir -p "$(dirname "$PGDATA")"
  until pg_basebackup --dbname="host=postgres user=replicator password=$password application_name=replica" \
    --pgdata="$PGDATA.new" --wal-method=stream --write-recovery-conf --slot=replica; do
    rm -rf "$PGDATA.new"
    sleep 2
  done
  mv "$PGDATA.new" "$PGDATA"
fi
exec "$@"
