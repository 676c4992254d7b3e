#!/bin/sh
# Writes the programs of the notebooks, and tests the engine of the pages: run.sh FOLDER NOTEBOOK_PROGRAMS LIBRARY PYTHON.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
folder=$1 notebook_programs=$2 library=$3 python=$4

command -v node >/dev/null || {
    echo "engine: there is no node; Debian's package is nodejs" >&2
    exit 2
}

# The engine has the bits of the kernels for AVX2. PyTorch may choose others.
if grep -qw avx2 /proc/cpuinfo 2>/dev/null; then export ATEN_CPU_CAPABILITY=avx2; fi

rm -rf "$folder"
mkdir -p "$folder"
"$notebook_programs" "$folder" "$library"
PROGRAMS=$folder PYTHON=$python exec node --test "$here"/*_test.mjs
