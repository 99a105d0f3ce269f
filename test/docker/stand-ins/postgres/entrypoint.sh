#!/bin/bash
# What the official image does with a new data directory, as far as docker/ asks for it.
set -eu
umask 077

if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --encoding=UTF8 --locale=C.UTF-8 \
    --auth-local=trust --auth-host=scram-sha-256
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl start --wait --options="-c listen_addresses=''"
  for script in /docker-entrypoint-initdb.d/*.sh; do bash "$script"; done
  pg_ctl stop --wait --mode=fast
fi
exec "$@"
