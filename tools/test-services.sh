#!/bin/sh
# Chromium, Redis, Postgres and the kernel's headers for the tests, from Debian's or Ubuntu's packages. The tests start what
# they need; nothing runs after.
set -eu
missing=
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || missing="$missing chromium"
command -v redis-server >/dev/null 2>&1 || missing="$missing redis-server"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
ls /usr/share/fonts/truetype/*/* >/dev/null 2>&1 || missing="$missing fonts-dejavu-core"
[ -e /usr/include/asm-generic/unistd.h ] || missing="$missing linux-libc-dev"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
    echo "The tests need these packages:$missing" >&2
    echo "Install them once: sudo apt-get install --no-install-recommends$missing" >&2
    exit 1
fi
echo "Installing for the tests:$missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
# shellcheck disable=SC2086 # a list of words
if ! { apt-get update -q && apt-get install -y -q --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    exit 1
fi
rm -f "$log"
