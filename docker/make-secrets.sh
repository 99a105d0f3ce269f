#!/bin/sh
# Makes what the compose files read as secrets, once: what is there stays as it is.
#   docker/make-secrets.sh [directory]        docker/secrets where none is named
# The directory is its owner's alone; the files in it are readable to all, because every container has a user of its own.
set -eu
umask 022

fail() {
  printf '%s: %s\n' "$0" "$1" >&2
  exit 1
}

command -v openssl > /dev/null || fail 'openssl is needed, and is not here: install it, then run this again'
cd "$(dirname "$0")"
directory=${1:-secrets}
mkdir -p "$directory"
chmod 700 "$directory"
cd "$directory"

# Letters and digits, which need no quoting in a URL.
random() { openssl rand -hex 24; }

keep() {
  [ -s "$1" ] || printf '%s\n' "$2" > "$1"
}

# An empty secret is none. What fails within the words of a command ends nothing: it is asked for by itself.
keep_random() {
  secret=$(random)
  keep "$1" "$secret"
  grep -q . "$1" || fail "$directory/$1 is empty: put it back from its backup, or, where nothing was started with these secrets yet, remove what is in $directory and run this again"
}

keep_random postgres-password
keep_random replication-password
keep_random cointill-password
keep_random cointill-owner-password
keep database-url "postgres://cointill:$(cat cointill-password)@postgres:5432/cointill"
keep migration-database-url "postgres://cointill_owner:$(cat cointill-owner-password)@postgres:5432/cointill"
keep_random operator-token
keep_random engine-token
keep_random secrets-key

# With ENGINE=live: the nodes of the chains, docs/how-to/watch-real-chains.md.
keep chain-nodes.env '# BTC_NODE_URL=http://user:password@10.0.0.7:8332'

keep_random eventstore-password
secret=$(random)
keep eventstore.env "EVENTSTORE_DEFAULT_ADMIN_PASSWORD=$(cat eventstore-password)
EVENTSTORE_DEFAULT_OPS_PASSWORD=$secret"
keep eventstore-url "esdb://admin:$(cat eventstore-password)@eventstore-1:2113,eventstore-2:2113,eventstore-3:2113?tls=true&tlsCAFile=/run/secrets/eventstore-ca"

# The nodes know each other by one authority and one common name; each has a certificate for its own host name.
if [ ! -s eventstore-ca.crt ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -sha256 -days 3650 -subj '/O=Cointill/CN=Cointill EventStoreDB CA' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' -keyout eventstore-ca.key -out eventstore-ca.crt 2> /dev/null
  chmod 600 eventstore-ca.key
fi
for node in eventstore-1 eventstore-2 eventstore-3; do
  [ -s "$node.crt" ] && continue
  cat > "$node.extensions" << END
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature,keyEncipherment
extendedKeyUsage=serverAuth,clientAuth
subjectAltName=DNS:$node,DNS:localhost,IP:127.0.0.1
END
  openssl req -newkey rsa:2048 -nodes -subj '/O=Cointill/CN=eventstoredb-node' \
    -keyout "$node.key" -out "$node.request" 2> /dev/null
  openssl x509 -req -sha256 -days 730 -in "$node.request" -CA eventstore-ca.crt -CAkey eventstore-ca.key \
    -CAcreateserial -extfile "$node.extensions" -out "$node.crt" 2> /dev/null
  rm "$node.request" "$node.extensions"
  chmod 644 "$node.key"
done
