# Helps the tests of shell scripts, which source it. They run a script with `bin` as its whole PATH, in a folder `work`
# of their own. They keep its output in the files out and err there, and its exit code in `code`.
#
# shellcheck shell=sh disable=SC2034,SC2154  # `work` and `code` belong to the tests
bin=$work/bin state=$work/state failures=0
mkdir "$bin"

# real TOOL...: puts real tools of this machine into the PATH.
real() {
    for tool in "$@"; do
        ln -s "$(command -v "$tool")" "$bin/$tool"
    done
}

# fake NAME: makes a fake tool from the code on stdin. The fake also records its call.
fake() {
    {
        printf '#!/bin/sh\nstate="%s"\nprintf "%%s\\n" "%s $*" >>"$state/calls"\n' "$state" "$1"
        cat
    } >"$bin/$1"
    chmod 755 "$bin/$1"
}

# check WHAT COMMAND...: passes if the command succeeds. Prints a line, and if it fails the end of stderr.
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

# Ends the test, with exit code 1 if a check failed.
finish() {
    [ "$failures" -eq 0 ] && exit
    echo "$failures checks failed"
    exit 1
}
