#!/bin/sh
# Makes one machine's key and certificate in FOLDER/NAME, and at first the authority that signs them all:
#   make-certificate.sh FOLDER NAME IP:10.0.0.11,DNS:db.internal
# Keep ca.key away from the machines. Each gets ca.crt, and server.key and server.crt from its own folder.
set -eu
umask 077
mkdir -p "$1/$2"
cd "$1"
make_key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }

if [ ! -e ca.key ]; then
  make_key ca.key
  openssl req -new -x509 -key ca.key -days 7300 -subj '/CN=Brightpane databases' -out ca.crt
fi
make_key "$2/server.key"
openssl req -new -key "$2/server.key" -subj "/CN=$2" -out "$2/server.csr"
printf 'subjectAltName=%s\n' "$3" > "$2/names"
openssl x509 -req -in "$2/server.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -extfile "$2/names" -out "$2/server.crt"
rm "$2/server.csr" "$2/names"
# Everybody who checks a certificate reads these.
chmod 644 ca.crt "$2/server.crt"
