#!/bin/sh
# Tests ./torchbook matrix without root or network: a folder of fake tools is the whole PATH. Only the reports that it
# reads come from the real program. Prints a line for each check, and the end of stderr if it fails. Exits with 1 if any
# check fails.
#
#   tests/matrix/matrix_test.sh BIN     the folder of the programs
#
# shellcheck disable=SC2016  # the fakes' code must not be expanded
set -u

here=$(dirname -- "$(readlink -f -- "$0")")
program=$1/torchbook
work=$(mktemp -d "${TMPDIR:-/tmp}/matrix_test.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/support/checks.sh
. "$here/../support/checks.sh"
unset TORCHBOOK_MATRIX_DIR TORCHBOOK_MATRIX_MIRROR
# shellcheck source=tests/matrix/machine.sh
. "$here/machine.sh"

# ------------------------------------------------------------ helpers of the checks

"$program" check --format json >"$work/check.json" || exit 1

# Makes a machine, for root, on which the matrix has never run.
fresh() {
    rm -rf "$work/clone" "$state" "$cache" "$work/debootstrap"
    mkdir -p "$work/clone/tests" "$work/clone/build" "$work/clone/cmake" "$state" "$work/debootstrap/scripts"
    cp -r "$here" "$work/clone/tests/matrix"
    cp "$here/../../cmake/debian-packages" "$work/clone/cmake/"
    sed -i 's|PATH="$PATH:/usr/sbin:/sbin"|:|' "$work/clone/tests/matrix/debians.sh" # has the real debootstrap
    echo "one tree" >"$work/clone/CMakeLists.txt"
    touch "$work/clone/build/big" "$state/calls" "$state/mounts" "$work/debootstrap/scripts/bookworm" \
        "$work/debootstrap/scripts/trixie" "$work/debootstrap/scripts/sid"
    echo 0 >"$state/uid"
    echo "fpu avx2 fma avx512f avx512bw avx512dq avx512vl" >"$state/flags"
}

run() {
    PATH=$bin DEBOOTSTRAP_DIR=$work/debootstrap TORCHBOOK_MATRIX_DIR=$cache APT_CONFIG=$work/apt.conf \
        sh "$work/clone/tests/matrix/matrix.sh" "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
}

says_only() { [ "$(cat "$work/err")" = "torchbook matrix: $1" ]; }
row() { grep -qxE -e "\\| $1 +\\|" "$work/out"; }

# ------------------------------------------------------------ checks

fresh
for argument in sid --frob ''; do
    run "$argument"
    check "argument '$argument': exit code 2" exits 2
    check "argument '$argument': says what can be" says_only \
        "'$argument' is neither --clean nor --help nor one of the releases bookworm trixie forky"
done
check "argument errors: nothing is done" not test -s "$state/calls"
run --help
check "--help: exit code 0" exits 0
check "--help: on stdout, with the cache's folder" grep -qF "kept (now $cache)" "$work/out"

fresh
echo 1000 >"$state/uid"
run
check "no root: exit code 2" exits 2
check "no root: one clear line" says_only \
    "only root, or a sudo without a password, can make other Debian systems and enter them"
touch "$state/sudo_works"
run trixie
check "sudo: goes through" exits 0
check "sudo: with the same cache and arguments" called "^sudo -n env TORCHBOOK_MATRIX_DIR=$cache .*matrix.sh trixie\$"

fresh
run
check "all equal: exit code 0" exits 0
check "all equal: the table" prints "$(for release in bookworm trixie forky; do
    [ "$release" != bookworm ] || printf '%s\n' \
        '| release  | LibTorch | BLAS      | threads | default | avx2  | avx512 |' \
        '|----------|----------|-----------|---------|---------|-------|--------|'
    for blas in reference OpenBLAS; do
        for threads in 1 2; do
            printf '| %-8s | 2.6.0    | %-9s | %s       | 83/83   | 83/83 | 83/83  |\n' "$release" "$blas" "$threads"
        done
    done
done)"
check "all equal: counts" says "36 cells equal, 0 different, 0 not possible here, 0 failed"
check "makes a Debian with its own script" called "^debootstrap --variant=minbase .* trixie .*/scripts/trixie\$"
check "makes a Debian without a script by that of sid" called "^debootstrap .* forky .*/scripts/sid\$"
check "lets apt take an expired Release file" called "chroot .*apt-get .*Check-Valid-Until=false .* update\$"
check "copies the tree without its build" not test -e "$cache/trixie/root/torchbook/source/build"
: >"$state/calls"
echo "another tree" >"$work/clone/CMakeLists.txt"
run trixie trixie
check "second run: makes nothing anew" not called '^debootstrap|apt-get'
check "second run: builds the tree as it is now" grep -q another "$state/built"
check "one release: only that" test "$(grep -c trixie "$work/out")" -eq 4 -a "$(wc -l <"$work/out")" -eq 6

for format in one-line deb822; do
    fresh
    printf 'Dir::Etc::sourcelist "%s"; Dir::Etc::sourceparts "%s";\n' "$work/apt.list" "$work/apt.d" >"$work/apt.conf"
    rm -rf "$work/apt.d" "$work/apt.list"
    mkdir "$work/apt.d"
    if [ "$format" = one-line ]; then
        printf 'deb http://%s main\n' other.invalid/apt\ bookworm mirror.invalid/debian\ sid >"$work/apt.list"
    else
        printf 'Types: deb\nURIs: http://%s\nSuites: sid\nComponents: main\n\n' other.invalid/apt \
            mirror.invalid/debian >"$work/apt.d/debian.sources"
    fi
    run trixie
    check "$format sources: takes their mirror" called "^debootstrap .* http://mirror.invalid/debian/ "
done
fresh
rm -r "$work/apt.d"
mkdir "$work/apt.d"
run trixie
check "no mirror: exit code 2" exits 2
check "no mirror: says where to name one" says "apt on this machine knows no Debian mirror; name one in TORCHBOOK_MATRIX_MIRROR"
rm "$work/apt.conf"
fresh
TORCHBOOK_MATRIX_MIRROR=http://mine.invalid/debian run trixie
check "TORCHBOOK_MATRIX_MIRROR is taken" called "^debootstrap .* http://mine.invalid/debian "

fresh
touch "$state/no_trixie"
run
check "a Debian that cannot be made: exit code 2" exits 2
check "a Debian that cannot be made: its row" row 'trixie +\| +\| +\| +\| making a Debian failed \| +\|'
check "a Debian that cannot be made: says why, and where the log is" says \
    "torchbook matrix: trixie: making a Debian failed; the log is $cache/trixie/log"
check "a Debian that cannot be made: shows the end of the log" says "E: no such release"
check "a Debian that cannot be made: the others are checked" says "24 cells equal"
rm "$state/no_trixie"
run trixie
check "a Debian that could not be made is made by the next run" exits 0

fresh
touch "$state/no_cmake_in_bookworm"
run bookworm forky
check "a build that fails: exit code 2" exits 2
check "a build that fails: its row" row 'bookworm +\| +\| +\| +\| building failed \| +\|'
check "a build that fails: the others are checked" says "12 cells equal, 0 different, 0 not possible here, 1 failed"

fresh
echo '0,/"verdict": "equal"/s//"verdict": "different"/' >"$state/avx2-2-open.sed"
echo '0,/"verdict": "equal"/s//"verdict": "equal-as-printed"/;s/different/&/' >"$state/avx512-1-blas.sed"
run trixie
check "cells that differ: exit code 1" exits 1
check "cells that differ: the first" row 'trixie +\| 2.6.0 +\| OpenBLAS +\| 2 +\| 83/83 +\| 82/83 \| 83/83'
check "cells that differ: equal only as printed" row 'trixie +\| 2.6.0 +\| reference +\| 1 +\| 83/83 +\| 83/83 \| 82/83'
check "cells that differ: says which, and where the report is" says "trixie, OpenBLAS BLAS, 2 thread(s), avx2: 82/83 \
equal; the report is $cache/trixie/cells/OpenBLAS-2-avx2.check"

# wrong_cell WHAT SCRIPT: edits with the script what trixie's cell of two threads, AVX2 and reference BLAS reports of
# itself.
wrong_cell() {
    fresh
    echo "$2" >"$state/avx2-2-blas.sed"
    run trixie
    check "a cell that ran with $1: exit code 2" exits 2
    check "a cell that ran with $1: in its place" \
        row 'trixie +\| 2.6.0 +\| reference +\| 2 +\| 83/83 +\| failed \| 83/83'
    check "a cell that ran with $1: says so" says "trixie, reference BLAS, 2 thread(s), avx2: ran with $1 instead"
}
wrong_cell "CPU capability DEFAULT" 's/"AVX2"/"DEFAULT"/'
wrong_cell "1 threads" 's/"threads": 2/"threads": 1/'
wrong_cell "the BLAS /usr/lib/x/other/libblas.so.3 (a BLAS)" 's:/usr/lib/x/blas/:/usr/lib/x/other/:'

fresh
echo 132 >"$state/avx512-1-open.code"
run trixie
check "a cell that dies: exit code 2" exits 2
check "a cell that dies: says so" says "avx512: exit code 132: died"
check "a cell that dies: in its place" row 'trixie +\| 2.6.0 +\| OpenBLAS +\| 1 +\| 83/83 +\| 83/83 \| failed'

fresh
echo "fpu avx2 fma avx512f" >"$state/flags"
run trixie
check "no AVX-512: exit code 0" exits 0
check "no AVX-512: in each row" test "$(grep -c '| no AVX-512 here |$' "$work/out")" -eq 4
check "no AVX-512: not counted as equal" says "8 cells equal, 0 different, 4 not possible here"
check "no AVX-512: not run" not called 'ATEN_CPU_CAPABILITY=avx512'

fresh
mv "$bin/debootstrap" "$state/debootstrap"
run trixie
check "no debootstrap: installs it" called '^apt-get -q -y .* install --no-install-recommends debootstrap$'
check "no debootstrap: goes on" exits 0
mv "$bin/debootstrap" "$state/debootstrap"
touch "$state/install_fails"
run trixie
check "debootstrap cannot be installed: exit code 2" exits 2
mv "$state/debootstrap" "$bin/debootstrap"

fresh
run --clean
check "--clean of nothing: exit code 0" exits 0
run trixie forky
echo "$cache/trixie/root/proc" >"$state/mounts"
run --clean
check "--clean, something is mounted inside: exit code 2" exits 2
check "--clean, something is mounted inside: says what" says "unmount it first: $cache/trixie/root/proc"
check "--clean, something is mounted inside: it stays" test -e "$cache/trixie/root/torchbook"
run --clean forky
check "--clean RELEASE: exit code 0" exits 0
check "--clean RELEASE: removes that only" test ! -e "$cache/forky" -a -e "$cache/trixie/root"
echo "$cache-elsewhere" >"$state/mounts"
PATH=$bin flock "$cache/lock" sh -c "echo >'$state/held'; while [ ! -e '$state/go' ]; do sleep 0.1; done" &
while [ ! -e "$state/held" ]; do sleep 0.1; done
run --clean
check "--clean, a matrix is running: exit code 2" exits 2
check "--clean, a matrix is running: says so" says_only \
    "another ./torchbook matrix is running in $cache; wait for it, or set TORCHBOOK_MATRIX_DIR"
touch "$state/go"
wait
mkdir "$work/precious"
ln -s "$work/precious" "$cache/trixie/root/link"
run --clean
check "--clean: exit code 0" exits 0
check "--clean: removes everything" test ! -e "$cache"
check "--clean: follows no link" test -d "$work/precious"
mkdir -p "$cache/trixie"
run --clean
check "--clean of a folder that is not ours: exit code 2" exits 2
check "--clean of a folder that is not ours: it stays" test -d "$cache/trixie"
run
check "a folder that has other things: exit code 2" exits 2
check "a folder that has other things: says so" says_only \
    "$cache contains other files; set TORCHBOOK_MATRIX_DIR to an empty or a new folder"
check "a folder that has other things: nothing on stdout" prints_nothing

finish
