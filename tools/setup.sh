#!/bin/sh
# Makes the virtual environment $1 and installs the lock file $2 into it, hashes checked; then PyTorch, which is in no lock
# file: docs/decisions/0010-pytorch.md says why.
set -eu
venv=$1
lock=$2
torch=$(dirname "$lock")/torch.txt

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

# Any build of the pinned version will do: one for CUDA, put in by hand, stays.
wanted=$(sed -n 's/^torch==\([0-9.]*\).*/\1/p' "$torch")
[ -n "$wanted" ] || { echo "$torch must hold a line torch==<version>, got: $(cat "$torch")" >&2; exit 1; }
if "$venv/bin/python" -c 'import sys; from importlib.metadata import version; sys.exit(version("torch").partition("+")[0] != sys.argv[1])' \
    "$wanted" 2>/dev/null; then
    exit 0
fi
echo "Installing PyTorch $wanted into $venv (some 200 MB, a minute or two the first time)"
log=$venv/torch.log
if ! "$venv/bin/python" -m pip install --quiet --no-deps --requirement "$torch" >"$log" 2>&1 &&
    ! "$venv/bin/python" -m pip install --quiet --no-deps --requirement "$torch" \
        --index-url https://download.pytorch.org/whl/cpu >>"$log" 2>&1; then
    echo "PyTorch could not be installed, neither from where pip looks nor from PyTorch's own index:" >&2
    sed 's/^/  /' "$log" >&2
    echo "Put any build of it in by hand, then run make again: $venv/bin/python -m pip install torch==$wanted" >&2
    exit 1
fi
rm -f "$log"
