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

# What openssl makes is moved to its place once it is whole.
making=.making
rm -rf "$making"
mkdir "$making"
trap 'rm -rf "$making"' EXIT
trap 'exit 1' HUP INT TERM

# The file first, then the words for openssl. It tells of its progress too: what it said is shown where it fails.
make() {
  file=$1
  shift
  openssl "$@" -out "$making/$file" 2> "$making/said" < /dev/null && [ -s "$making/$file" ] && return
  cat "$making/said" >&2
  fail "$directory/$file is not made: $(command -v openssl) ($(openssl version 2> /dev/null)) ended without it, with what is said above. Where that says nothing to mend, put an OpenSSL from 1.1.1 on or a LibreSSL from 3 on first in PATH. Then run this again: what is made already stays"
}

# Letters and digits, which need no quoting in a URL. What fails within the words of a command ends nothing.
random() {
  secret=$(openssl rand -hex 24) && [ -n "$secret" ] ||
    fail "$(command -v openssl) gives no random bytes: put one first in PATH that does, then run this again"
}

keep() {
  [ -e "$1" ] || printf '%s\n' "$2" > "$1"
}

# An empty secret is none, and another in its place would be one that nothing knows which runs already.
keep_secret() {
  keep "$1" "$2"
  grep -q . "$1" || fail "$directory/$1 is empty: put it back from its backup, or, where nothing was started with these secrets yet, remove what is in $directory and run this again"
}

keep_random() {
  random
  keep_secret "$1" "$secret"
}

# Of secrets beside it.
keep_made() {
  keep "$1" "$2"
  grep -q . "$1" || fail "$directory/$1 is empty: put it back from its backup, or remove it and run this again, and it is made of the passwords beside it"
}

keep_random postgres-password
keep_random replication-password
keep_random cointill-password
keep_random cointill-owner-password
keep_made database-url "postgres://cointill:$(cat cointill-password)@postgres:5432/cointill"
keep_made migration-database-url "postgres://cointill_owner:$(cat cointill-owner-password)@postgres:5432/cointill"
keep_random operator-token
keep_random engine-token
keep_random secrets-key

# With ENGINE=live: the nodes of the chains, docs/how-to/watch-real-chains.md.
keep chain-nodes.env '# BTC_NODE_URL=http://user:password@10.0.0.7:8332'

keep_random eventstore-password
random
keep_secret eventstore.env "EVENTSTORE_DEFAULT_ADMIN_PASSWORD=$(cat eventstore-password)
EVENTSTORE_DEFAULT_OPS_PASSWORD=$secret"
keep_made eventstore-url "esdb://admin:$(cat eventstore-password)@eventstore-1:2113,eventstore-2:2113,eventstore-3:2113?tls=true&tlsCAFile=/run/secrets/eventstore-ca"

# The nodes know each other by one authority and one common name; each has a certificate for its own host name. All that
# is asked for stands in files: not every openssl takes it as words (-addext), or has a configuration of its own.
cat > "$making/request" << END
[req]
distinguished_name=name
x509_extensions=authority
[name]
[authority]
basicConstraints=critical,CA:TRUE
keyUsage=critical,keyCertSign,cRLSign
subjectKeyIdentifier=hash
END
if [ ! -s eventstore-ca.crt ]; then
  make eventstore-ca.crt req -x509 -newkey rsa:2048 -nodes -sha256 -days 3650 -config "$making/request" \
    -subj '/O=Cointill/CN=Cointill EventStoreDB CA' -keyout "$making/eventstore-ca.key"
  chmod 600 "$making/eventstore-ca.key"
  mv "$making/eventstore-ca.key" "$making/eventstore-ca.crt" .
fi
for node in eventstore-1 eventstore-2 eventstore-3; do
  [ -s "$node.crt" ] && continue
  cat > "$making/extensions" << END
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature,keyEncipherment
extendedKeyUsage=serverAuth,clientAuth
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
subjectAltName=DNS:$node,DNS:localhost,IP:127.0.0.1
END
  make "$node.request" req -new -newkey rsa:2048 -nodes -config "$making/request" \
    -subj '/O=Cointill/CN=eventstoredb-node' -keyout "$making/$node.key"
  make "$node.crt" x509 -req -sha256 -days 730 -in "$making/$node.request" -CA eventstore-ca.crt \
    -CAkey eventstore-ca.key -CAcreateserial -extfile "$making/extensions"
  chmod 644 "$making/$node.key" "$making/$node.crt"
  mv "$making/$node.key" "$making/$node.crt" .
done
