#!/bin/bash
# Runs once, in a new database: the service is no superuser and does not own history, and a replica may only replicate.
set -eu

secret() {
  cat "/run/secrets/$1"
}

psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
  --set=password="$(secret cointill-password)" --set=owner="$(secret cointill-owner-password)" << 'SQL'
CREATE ROLE cointill LOGIN PASSWORD :'password';
CREATE ROLE cointill_owner LOGIN PASSWORD :'owner' IN ROLE cointill;
CREATE DATABASE cointill OWNER cointill_owner;
SQL

if [ -e /run/secrets/replication-password ]; then
  psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
    --set=password="$(secret replication-password)" << 'SQL'
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'password';
SELECT pg_create_physical_replication_slot('replica');
SQL
  echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
