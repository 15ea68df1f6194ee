#!/bin/sh
# Pins requirements/*.in into lock files with hashes, for every platform.
set -eu
cd "$(dirname "$0")/../requirements"
command -v uv >/dev/null || { echo "uv is needed: pip install uv" >&2; exit 1; }
for name in base dev; do
    uv pip compile --quiet --python-version 3.11 --universal --generate-hashes --no-emit-index-url --no-header "$name.in" -o "$name.lock"
done
