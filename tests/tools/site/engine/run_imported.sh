#!/bin/sh
# Writes the programs of imported notebooks, and counts what the pages compute of them: run_imported.sh FOLDER PROGRAMS LIBRARY
# RELEASE.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
folder=$1 programs=$2 library=$3 release=$4

if grep -qw avx2 /proc/cpuinfo 2>/dev/null; then export ATEN_CPU_CAPABILITY=avx2; fi
rm -rf "$folder"
mkdir -p "$folder"
"$programs" "$folder" "$library"
PROGRAMS=$folder RELEASE=$release exec node --test "$here/imported.mjs"
