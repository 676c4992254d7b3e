#!/bin/sh
# Makes the pages of lessons, and has PyTorch judge them in a browser: run_lessons.sh FOLDER SITE PYTHON. Packages of npm are
# installed into FOLDER.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
folder=$1 site=$2 python=$3
. "$here/install.sh"

# The engine has the bits of the kernels for AVX2. PyTorch may choose others.
if grep -qw avx2 /proc/cpuinfo 2>/dev/null; then export ATEN_CPU_CAPABILITY=avx2; fi
rm -rf pages
"$site" site --no-python --output pages
JUDGE=$here/../engine/judge.py PYTHON=$python exec node lessons.mjs
