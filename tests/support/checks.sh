# What the tests of shell scripts share; sourced by them. They run a script with `bin` as its whole PATH, from a folder
# `work` of their own, and leave what it prints in the files out and err there, and its exit code in `code`.
#
# shellcheck shell=sh disable=SC2034,SC2154  # `work` and `code` are the caller's
bin=$work/bin state=$work/state failures=0
mkdir "$bin"

# real TOOL...: puts the machine's own tools into the PATH.
real() {
    for tool in "$@"; do
        ln -s "$(command -v "$tool")" "$bin/$tool"
    done
}

# fake NAME: makes a fake of it, which notes its call, from the text on stdin.
fake() {
    {
        printf '#!/bin/sh\nstate="%s"\nprintf "%%s\\n" "%s $*" >>"$state/calls"\n' "$state" "$1"
        cat
    } >"$bin/$1"
    chmod 755 "$bin/$1"
}

# check WHAT COMMAND...: one check, which holds if the command succeeds; a line for it, and the end of stderr if not.
check() {
    what=$1
    shift
    if "$@" >/dev/null 2>&1; then
        echo "ok      $what"
    else
        echo "FAILED  $what"
        tail -n 5 "$work/err" | sed 's/^/        stderr: /'
        failures=$((failures + 1))
    fi
}

not() { ! "$@"; }
exits() { [ "$code" -eq "$1" ]; }
says() { grep -qF -e "$1" "$work/err"; }
says_nothing() { [ ! -s "$work/err" ]; }
called() { grep -qE -e "$1" "$state/calls"; }
prints() { [ "$(cat "$work/out")" = "$1" ]; }
prints_nothing() { [ ! -s "$work/out" ]; }

# Ends the test: exit code 1 if a check failed.
finish() {
    [ "$failures" -eq 0 ] && exit
    echo "$failures checks failed"
    exit 1
}
