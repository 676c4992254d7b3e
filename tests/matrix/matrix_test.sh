#!/bin/sh
# Tests what ./torchbook matrix does before it needs root or network. Prints a line for each check. Exits with 1 if any
# check fails.
set -u

tests=$(dirname -- "$(readlink -f -- "$0")")/..
work=$(mktemp -d "${TMPDIR:-/tmp}/matrix_test.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/support/checks.sh
. "$tests/support/checks.sh"
cache=$work/cache

run() {
    TORCHBOOK_MATRIX_DIR=$cache "$tests/../torchbook" matrix "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
}

run --help
check "--help: exit code 0" exits 0
check "--help: says where files are kept" grep -qF "kept (now $cache)" "$work/out"
for argument in sid --frob ''; do
    run "$argument"
    check "argument '$argument': exit code 2" exits 2
    check "argument '$argument': says what can be" says \
        "'$argument' is neither --clean nor --help nor one of the releases bookworm trixie forky"
done
run --clean
check "--clean of nothing: exit code 0" exits 0
check "none of these makes a folder" not test -e "$cache"
mkdir "$cache" && touch "$cache/precious"
if [ "$(id -u)" -eq 0 ]; then
    run --clean
    check "--clean of a folder that is not ours: exit code 2" exits 2
    check "--clean of a folder that is not ours: says so" says "was not made by ./torchbook matrix; nothing is removed"
    check "--clean of a folder that is not ours: it stays" test -e "$cache/precious"
    run trixie
    check "a folder that has other things: exit code 2" exits 2
    check "a folder that has other things: says so" says "$cache contains other files"
fi

finish
