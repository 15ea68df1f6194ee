#!/bin/sh
# Makes the virtual environment $1 and installs the lock file $2 into it, hashes checked.
set -eu
venv=$1
lock=$2

if [ ! -x "$venv/bin/python" ]; then
    for candidate in "${HEED_PYTHON:-}" python3.11 python3.12 python3.13 python3; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            python=$candidate
            break
        fi
    done
    if [ -z "${python:-}" ]; then
        echo "Heed needs Python 3.11 or newer; found none. On Debian and Ubuntu: sudo apt install python3 python3-venv" >&2
        exit 1
    fi
    echo "Making $venv with $("$python" --version)"
    if ! "$python" -m venv "$venv" 2>"$venv.log"; then
        rm -rf "$venv"
        echo "'$python -m venv' failed:" >&2
        sed 's/^/  /' "$venv.log" >&2
        rm -f "$venv.log"
        echo "On Debian and Ubuntu its parts are a package of their own: sudo apt install python3-venv" >&2
        exit 1
    fi
    rm -f "$venv.log"
fi
echo "Installing $lock into $venv (about half a minute the first time)"
"$venv/bin/python" -m pip install --quiet --require-hashes --requirement "$lock"
